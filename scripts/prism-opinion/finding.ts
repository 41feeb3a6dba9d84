/** What Prism has against an exchange, from what it says in `sl-violations` and from what became of the answer. */

import type { RecordedExchange } from './recorded.ts';

/** One thing that Prism said or did. */
export interface Finding {
  /** `said`: a violation; `lost`: the answer did not come through; `altered`: another one did. */
  readonly is: 'said' | 'lost' | 'altered';
  readonly text: string;
  readonly exchange: RecordedExchange;
}

interface Violation {
  readonly location: readonly (string | number)[];
  readonly message: string;
}

/** The list in the header. Beyond 8 KiB Prism cuts it; the entries before the cut still count. */
function listIn(header: string): Violation[] {
  const list = header.slice(header.indexOf('[')).replace(/\]$/, '');
  for (let end = list.length; end > 0; end = list.lastIndexOf('}', end - 2) + 1) {
    try {
      return JSON.parse(`${list.slice(0, end)}]`) as Violation[];
    } catch {
      // Cut within an entry: those before it may be whole.
    }
  }
  throw new Error(`sl-violations can not be read: ${header}`);
}

/**
 * What `sl-violations` has against an exchange that was answered with this status. Prism judges requests too: that it minds one
 * which was refused is agreement; only what was accepted, and Prism would not have, counts.
 */
export function violationsIn(header: string | undefined, status: number): string[] {
  if (header === undefined) return [];
  return listIn(header)
    .filter(({ location }) => location[0] === 'response' || status < 400)
    .map(({ location, message }) => `${location.join('.')}: ${message}`);
}
