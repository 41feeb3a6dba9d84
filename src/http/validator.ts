import type { Principal } from '../model.ts';
import { Refusal } from '../model.ts';
import type { OperationId } from './answer.ts';
import type { ContractDocument } from './contract.ts';
import { badRequest } from './errors.ts';
import { requestsOnly } from './requests-only.ts';
import { openSteps, run } from './steps.ts';

/** A request as express-openapi-validator is shown it: normalized, with nothing in it that the contract does not name. */
export interface Seen {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface RequestValidator {
  /** @throws Refusal forbidden when the principal lacks a scope of the operation (AUT-06, AUT-07, AUT-09). */
  checkScope(operation: OperationId, principal: Principal): Promise<void>;
  /** @throws Refusal invalid-input when the request is not as the document says. */
  checkRequest(operation: OperationId, seen: Seen): Promise<void>;
}

/**
 * Validates requests against the document. express-openapi-validator is shown a plain object in place of the request, so that it cannot
 * change what we read, and never sees what it handles badly: undocumented parameters, and odd Content-Types, for each of which it would
 * keep a validator for ever.
 */
export async function createRequestValidator(bundle: ContractDocument): Promise<RequestValidator> {
  const { step, request } = await openSteps(requestsOnly(bundle), ['securityMiddleware', 'requestMiddleware'], {
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: false,
    validateSecurity: {
      handlers: { bearer: (seen, scopes) => checkScopes(seen as unknown as { principal: Principal }, scopes) },
    },
  });

  /** Cached by principal object: authentication makes a new one whenever anything about it may have changed. */
  const granted = new WeakMap<Principal, Set<OperationId>>();

  async function checkScopeOnce(operation: OperationId, principal: Principal): Promise<void> {
    await run(step.securityMiddleware, request(operation, { principal, headers: BEARER })).catch(refuseScope);
    const operationsGranted = granted.get(principal) ?? new Set();
    granted.set(principal, operationsGranted.add(operation));
  }

  return {
    checkScope: (operation, principal) =>
      granted.get(principal)?.has(operation) ? GRANTED : checkScopeOnce(operation, principal),
    async checkRequest(operation, { params, query, body }) {
      const seen = { params, query: { ...query }, body, headers: body === undefined ? {} : JSON_TYPE };
      await run(step.requestMiddleware, request(operation, seen)).catch(refuse);
    },
  };
}

const GRANTED = Promise.resolve();
const BEARER = { authorization: 'bearer' };
const JSON_TYPE = { 'content-type': 'application/json' };

function checkScopes({ principal }: { principal: Principal }, scopes: readonly string[]): true {
  const missing = scopes.find((scope) => !(principal.scopes as ReadonlySet<string>).has(scope));
  if (missing === undefined) return true;
  throw new Lacking(missing);
}

/** The validator passes on an error's status and message but not its class, so the message carries the scope. */
class Lacking extends Error {
  readonly status = 403;
}

function refuseScope(error: unknown): never {
  const { status, message } = error as { status?: number; message?: string };
  if (status !== 403) throw error;
  const challenge = `Bearer error="insufficient_scope", scope="${message}"`;
  throw new Refusal('forbidden', `The credential lacks the scope ${message}.`, { 'WWW-Authenticate': challenge });
}

interface ValidationError {
  readonly status?: number;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Turns a validation error into a refusal that names the parameter and what is wrong with it; rethrows anything else. */
function refuse(thrown: unknown): never {
  const { status, errors } = thrown as ValidationError;
  if (status === undefined || status >= 500) throw thrown;
  const [first] = errors ?? [];
  const where = first === undefined ? 'The request' : `"${first.path.split('/').filter(Boolean).slice(1).join('.')}"`;
  throw badRequest(`${where} ${first?.message ?? 'is not as the contract says'}.`);
}
