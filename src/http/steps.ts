import { parse } from 'node:url';
import * as OpenApiValidator from 'express-openapi-validator';
import type { OperationId } from './answer.ts';
import type { ContractDocument } from './contract.ts';

type Options = Omit<Parameters<typeof OpenApiValidator.middleware>[0], 'apiSpec'>;
export type Step = (request: object, response: object, next: (error?: unknown) => void) => unknown;

export interface Steps<Name extends string> {
  readonly step: Readonly<Record<Name, Step>>;
  /** A request object as the steps expect it, with its operation already matched. */
  request(operation: OperationId, rest: Readonly<Record<string, unknown>>): object;
}

/**
 * Runs express-openapi-validator one step at a time on plain objects: in its own order it would read a body before it checks the
 * credential. Its match of each operation is looked up once, at start, and not again for each request.
 */
export async function openSteps<Name extends string>(
  bundle: ContractDocument,
  names: readonly Name[],
  options: Options,
): Promise<Steps<Name>> {
  noteDeprecation();
  const { metadataMiddleware, ...step } = stepsOf(bundle, ['metadataMiddleware', ...names], options);
  const operations = new Map<OperationId, { readonly expressRoute: string; readonly method: string }>();
  for (const { operation, method, path } of operationsOf(bundle)) {
    const probe = probeOf(method, path);
    await run(metadataMiddleware, probe);
    operations.set(operation, { ...probe.openapi!, method });
  }
  return {
    step: step as unknown as Record<Name, Step>,
    request(operation, rest) {
      const known = operations.get(operation)!;
      const openapi = rest['params'] === undefined ? known : { ...known, pathParams: rest['params'] };
      const { method, expressRoute: path } = known;
      return { method, originalUrl: path, path, openapi, headers: {}, ...rest };
    },
  };
}

/**
 * Triggers the deprecation warning of `url.parse` once, silently. The validator calls it for each request, and until Node has warned it
 * searches the stack each time for the caller to name.
 */
function noteDeprecation(): void {
  const settings = process as typeof process & { noDeprecation?: boolean };
  const { noDeprecation = false } = settings;
  settings.noDeprecation = true;
  parse('');
  settings.noDeprecation = noDeprecation;
}

export function run(step: Step, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
    try {
      step(request, {}, next);
    } catch (error) {
      reject(error);
    }
  });
}

function stepsOf<Name extends string>(
  bundle: ContractDocument,
  names: readonly Name[],
  options: Options,
): Record<Name, Step> {
  const middlewares = OpenApiValidator.middleware({
    ...options,
    apiSpec: structuredClone(bundle) as never,
    validateApiSpec: false,
    fileUploader: false,
  }) as unknown as Step[];
  const steps = Object.fromEntries(middlewares.map((middleware) => [middleware.name, middleware]));
  const missing = names.filter((name) => steps[name] === undefined);
  if (missing.length > 0)
    throw new Error(`express-openapi-validator has no ${missing.join(', ')}: was its version changed?`);
  return steps as Record<Name, Step>;
}

function operationsOf(bundle: ContractDocument): { operation: OperationId; method: string; path: string }[] {
  const base = new URL(bundle.servers?.[0]?.url ?? '/', 'http://base.invalid').pathname.replace(/\/$/, '');
  return Object.entries(bundle.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      operationId === undefined
        ? []
        : [
            {
              operation: operationId as OperationId,
              method: method.toUpperCase(),
              path: base + path.replaceAll(/[{}]/g, ''),
            },
          ],
    ),
  );
}

interface Probe {
  readonly method: string;
  openapi?: { readonly expressRoute: string };
}

function probeOf(method: string, path: string): Probe {
  const strict = new Set(['strict routing', 'case sensitive routing']);
  const app = { enabled: (name: string) => strict.has(name) };
  const probe = { method, path, originalUrl: path, url: path, baseUrl: '', app };
  return probe;
}
