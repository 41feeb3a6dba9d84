import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal, Spent } from '../model.ts';
import type { OperationId } from './answer.ts';
import type { Place } from './pressure.ts';

/** One request on its way through the service, and what is known of it so far; headers, log and metrics are made from it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  operation: OperationId | null;
  principal: Principal | null;
  spent: Spent | null;
  place: Place | null;
}
