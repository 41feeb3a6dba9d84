/** What an operator is told of requests: lines of the log and figures. Nothing in them that a caller wrote. */
import { pino, type Logger } from 'pino';
import type { Exchange } from './http/exchange.ts';
import type { Metrics } from './http/metrics.ts';

/** Lines leave together, at the latest after a tenth of a second, and all of them when the process ends: a write each is a tenth of a read. */
export const createLog = (level: string): Logger =>
  pino({ level }, pino.destination({ dest: 1, sync: true, minLength: 8_192, periodicFlush: 100 }));

export interface Telemetry {
  readonly onFault: (fault: unknown, exchange: Exchange) => void;
  readonly onViolation: (violation: Error, exchange: Exchange) => void;
  /** `id`: of the document. */
  readonly onCorrupt: (violation: Error, id: string) => void;
  readonly onUnstarted: (cause: unknown) => void;
  /** One line and one observation a request. */
  readonly onEnd: (exchange: Exchange) => void;
}

/** `timer`: milliseconds of the monotonic clock that requests are begun by. */
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
