import type { Obtained, Source } from '../model.ts';
import { SourceThrottled } from './source.ts';

/** How a call of a source ended: with a document, a reason, a request to slow down, a failure, or not within the attempt's time. */
export type CallOutcome = 'obtained' | 'unavailable' | 'throttled' | 'failed' | 'abandoned';

export type OnCall = (network: string, outcome: CallOutcome, seconds: number) => void;

/** Wraps a source so that each call is reported once, when it ends or is abandoned. @param timer Milliseconds of a monotonic clock. */
export function measured(source: Source, timer: () => number, onCall: OnCall): Source {
  const { network } = source;
  return {
    ...source,
    async obtain(entity, options) {
      const began = timer();
      let told = false;
      const tell = (outcome: CallOutcome): void => {
        if (!told) onCall(network, outcome, (timer() - began) / 1_000);
        told = true;
      };
      const abandon = (): void => tell('abandoned');
      options.signal.addEventListener('abort', abandon, { once: true });
      try {
        const obtained = await source.obtain(entity, options);
        tell(outcomeOf(obtained));
        return obtained;
      } catch (error) {
        tell(error instanceof SourceThrottled ? 'throttled' : 'failed');
        throw error;
      } finally {
        options.signal.removeEventListener('abort', abandon);
      }
    },
  };
}

/** A retryable reason is the source's way to report a failure of its own. */
function outcomeOf(obtained: Obtained): CallOutcome {
  if (obtained.is !== 'unavailable') return 'obtained';
  return obtained.retryable ? 'failed' : 'unavailable';
}
