import type { operations } from '../../generated/api.ts';

/** The five operations of the contract, by operationId. */
export type OperationId = keyof operations;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type BodyOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type HeadersOf<Response> = Response extends { headers: infer Headers } ? Headers : Record<never, never>;
/** Only the documented names: openapi-typescript adds an index signature. */
type Named<Headers> = { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] };
/** What `respond.ts` puts on every response, so that no handler can forget it. */
type OnEveryResponse = 'x-request-id' | 'Cache-Control' | 'RateLimit' | 'RateLimit-Policy';

type OwnHeaders<Response> = Omit<Named<HeadersOf<Response>>, OnEveryResponse>;
/** An empty object type would take any header. */
type Exactly<Headers> = keyof Headers extends never ? Readonly<Record<string, never>> : Readonly<Headers>;

/**
 * A body of type `Body` as ready-made pieces of JSON, so that what was stored as bytes is sent as bytes. `envelope` is the part that the
 * read made itself, and is what the guard checks; the documents inside it were checked one by one.
 */
export interface Pieces<Body> {
  readonly pieces: readonly Buffer[];
  readonly envelope: unknown;
  /** Never present. It exists so that the pieces of one body type do not type-check as another's. */
  readonly bodyType?: Body;
}

/** What a handler of the operation may answer: a documented status with the headers and body documented for it, and nothing else. */
export type Answer<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: {
    readonly status: Status;
    readonly headers: Exactly<OwnHeaders<Responses<Id>[Status]>>;
    readonly body: BodyOf<Responses<Id>[Status]> | Pieces<BodyOf<Responses<Id>[Status]>>;
  };
}[keyof Responses<Id>];

export type AnyAnswer = {
  readonly status: number;
  readonly headers: Readonly<{ [name: string]: string | number | undefined }>;
  readonly body: unknown;
};

export function isPieces(body: unknown): body is Pieces<unknown> {
  return typeof body === 'object' && body !== null && 'pieces' in body;
}
