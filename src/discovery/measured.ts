import type { Obtained, Source } from '../model.ts';
import { SourceThrottled } from './source.ts';

/** How a call of a source ended: a document, a reason, a request to slow down, a failure, or nothing in the time of the attempt. */
export type CallOutcome = 'obtained' | 'unavailable' | 'throttled' | 'failed' | 'abandoned';

export type OnCall = (network: string, outcome: CallOutcome, seconds: number) => void;

/** The same source, whose calls are told of when they end, or when they are abandoned. `timer`: milliseconds, monotonic. */
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

/** `internal-error` is the source's own word for a failure. */
function outcomeOf(obtained: Obtained): CallOutcome {
  if (obtained.is !== 'unavailable') return 'obtained';
  return obtained.retryable ? 'failed' : 'unavailable';
}
