import type { OperationId } from './answer.ts';
import type { ContractDocument } from './contract.ts';
import { openSteps } from './steps.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Rejects with what express-openapi-validator has to say against an answer. */
export type SecondOpinion = (operation: OperationId, answered: Answered) => Promise<void>;

/**
 * express-openapi-validator's own validation of responses, for tests: it reads the same document independently of our guard. The service
 * cannot use it, as it hooks `response.json(object)` and we send ready-made bytes. It ignores headers and statuses from 500.
 */
export async function createSecondOpinion(bundle: ContractDocument): Promise<SecondOpinion> {
  const { step, request } = await openSteps(bundle, ['responseMiddleware'], { validateResponses: true });

  return (operation, { status, headers, body }) =>
    new Promise((resolve, reject) => {
      const response = { statusCode: status, headersSent: false, getHeaders: () => headers, json: () => resolve() };
      const next = (error?: Error): void => (error === undefined ? judge(response, body) : reject(error));
      step.responseMiddleware(request(operation, {}), response, next as (error?: unknown) => void);
    });
}

/** The validator's step has replaced `json` by its check. */
const judge = (response: { json(body: unknown): unknown }, body: unknown): void => void response.json(body);
