import * as OpenApiValidator from 'express-openapi-validator';
import type { Principal } from '../model.ts';
import { Refusal } from '../model.ts';
import type { OperationId } from './answer.ts';
import type { ContractDocument } from './contract.ts';
import { badRequest } from './errors.ts';

/** A request as express-openapi-validator is to see it: normalized, and no more of it than the contract names. */
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

type Middleware = (request: object, response: object, next: (error?: unknown) => void) => unknown;

const WANTED = ['metadataMiddleware', 'securityMiddleware', 'requestMiddleware'] as const;

/**
 * express-openapi-validator, a step at a time: its own order would read a body before it looks at the credential. It is shown a plain object in
 * place of the request, so that it neither sees what it would choke on (undocumented parameters, odd Content-Types: it keeps a validator for
 * each, for ever) nor changes what we read. What it says of an operation is asked for once, at start, and not matched again for each request.
 */
export async function createRequestValidator(bundle: ContractDocument): Promise<RequestValidator> {
  const steps = stepsOf(bundle);
  const operations = new Map<OperationId, object>();
  for (const { operation, method, path } of operationsOf(bundle)) {
    const probe = probeOf(method, path);
    await run(steps.metadataMiddleware, probe);
    operations.set(operation, { ...probe.openapi, method });
  }

  function request(operation: OperationId, rest: object): object {
    const openapi = operations.get(operation) as { expressRoute: string; method: string };
    return {
      method: openapi.method,
      originalUrl: openapi.expressRoute,
      path: openapi.expressRoute,
      openapi,
      headers: {},
      ...rest,
    };
  }

  /** Verdicts hold as long as the principal: authentication makes another one when anything about it may have changed. */
  const granted = new WeakMap<Principal, Set<OperationId>>();

  async function checkScopeOnce(operation: OperationId, principal: Principal): Promise<void> {
    await run(steps.securityMiddleware, request(operation, { principal, headers: BEARER }));
    const operationsGranted = granted.get(principal) ?? new Set();
    granted.set(principal, operationsGranted.add(operation));
  }

  return {
    checkScope: (operation, principal) =>
      granted.get(principal)?.has(operation) ? GRANTED : checkScopeOnce(operation, principal),
    async checkRequest(operation, { params, query, body }) {
      const openapi = { ...operations.get(operation), pathParams: params };
      const seen = { params, query: { ...query }, body, openapi, headers: body === undefined ? {} : JSON_TYPE };
      await run(steps.requestMiddleware, request(operation, seen)).catch(refuse);
    },
  };
}

const GRANTED = Promise.resolve();
const BEARER = { authorization: 'bearer' };
const JSON_TYPE = { 'content-type': 'application/json' };

function stepsOf(bundle: ContractDocument): Record<(typeof WANTED)[number], Middleware> {
  const middlewares = OpenApiValidator.middleware({
    apiSpec: structuredClone(bundle) as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: false,
    validateSecurity: {
      handlers: { bearer: (seen, scopes) => checkScopes(seen as unknown as { principal: Principal }, scopes) },
    },
    fileUploader: false,
  }) as unknown as Middleware[];
  const steps = Object.fromEntries(middlewares.map((middleware) => [middleware.name, middleware]));
  const missing = WANTED.filter((name) => steps[name] === undefined);
  if (missing.length > 0)
    throw new Error(`express-openapi-validator has no ${missing.join(', ')}: was its version changed?`);
  return steps as Record<(typeof WANTED)[number], Middleware>;
}

function checkScopes({ principal }: { principal: Principal }, scopes: readonly string[]): true {
  const missing = scopes.find((scope) => !(principal.scopes as ReadonlySet<string>).has(scope));
  if (missing === undefined) return true;
  throw new Lacking(missing);
}

/** The validator hands on an error's status and message, and loses its class: the scope travels in the message. */
class Lacking extends Error {
  readonly status = 403;
}

function run(step: Middleware, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown): void => (error === undefined ? resolve() : reject(refusalOf(error)));
    try {
      step(request, {}, next);
    } catch (error) {
      reject(error);
    }
  });
}

function refusalOf(error: unknown): unknown {
  const { status, message } = error as { status?: number; message?: string };
  if (status !== 403) return error;
  const challenge = `Bearer error="insufficient_scope", scope="${message}"`;
  return new Refusal('forbidden', `The credential lacks the scope ${message}.`, { 'WWW-Authenticate': challenge });
}

interface ValidationError {
  readonly status?: number;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Which parameter, and what was wrong with it. */
function refuse(thrown: unknown): never {
  const { status, errors } = thrown as ValidationError;
  if (status === undefined || status >= 500) throw thrown;
  const [first] = errors ?? [];
  const where = first === undefined ? 'The request' : `"${first.path.split('/').filter(Boolean).slice(1).join('.')}"`;
  throw badRequest(`${where} ${first?.message ?? 'is not as the contract says'}.`);
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
  openapi?: object;
}

function probeOf(method: string, path: string): Probe {
  const strict = new Set(['strict routing', 'case sensitive routing']);
  const probe = {
    method,
    path,
    originalUrl: path,
    url: path,
    baseUrl: '',
    app: { enabled: (name: string) => strict.has(name) },
  };
  return probe;
}
