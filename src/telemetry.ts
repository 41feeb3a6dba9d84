/** Log lines and metrics for operators. Neither ever repeats what a caller wrote. */
import { pino, type Logger } from 'pino';
import type { Exchange } from './http/exchange.ts';
import type { Metrics } from './http/metrics.ts';

/**
 * A log on standard output that writes lines together: when they are 8 KB, every tenth of a second, and when the process ends. A system
 * call for each line would cost a tenth of a held read.
 */
export const createLog = (level: string): Logger =>
  pino({ level }, pino.destination({ dest: 1, sync: true, minLength: 8_192, periodicFlush: 100 }));

/** The events that are reported. */
export interface Telemetry {
  /** A request met an exception that is no refusal, and was answered 500. */
  readonly onFault: (fault: unknown, exchange: Exchange) => void;
  /** A response broke the contract, and 500 was sent in its place (ERR-05). */
  readonly onViolation: (violation: Error, exchange: Exchange) => void;
  /** The stored bytes of the document with this id are damaged. */
  readonly onCorrupt: (violation: Error, id: string) => void;
  /** Refreshes could not be started, though their reads were answered (F12). */
  readonly onUnstarted: (cause: unknown) => void;
  /** A request has ended: one log line and one observation of its duration. */
  readonly onEnd: (exchange: Exchange) => void;
}

/** @param timer Milliseconds of the monotonic clock that also gives requests their `startedAt`. */
export function createTelemetry(log: Logger, metrics: Metrics, timer: () => number): Telemetry {
  return {
    onFault: (fault, exchange) => log.error({ ...told(exchange), err: fault }, 'fault'),
    onViolation(violation, exchange) {
      metrics.violation();
      log.error({ ...told(exchange), violation: violation.message }, 'an answer broke the contract and was held back');
    },
    onCorrupt: (violation, id) =>
      log.error({ violation: violation.message, id }, 'a stored document is not what was stored'),
    onUnstarted: (cause) => log.error({ err: cause }, 'refreshes could not be started'),
    onEnd(exchange) {
      const milliseconds = timer() - exchange.startedAt;
      const { statusCode: status, writableFinished: sent } = exchange.response;
      metrics.request(exchange.operation ?? 'none', status, milliseconds / 1000);
      if (!log.isLevelEnabled('info')) return;
      const rounded = Math.round(milliseconds * 100) / 100;
      log.info({ ...told(exchange), status, sent, milliseconds: rounded }, 'request');
    },
  };
}

const told = ({ requestId, operation, principal }: Exchange) => ({
  requestId,
  operation,
  principal: principal?.account,
});
