import type { RandomBytes } from '../auth/tokens.ts';
import type { Discoveries } from '../storage/discoveries.ts';
import type { Documents } from '../storage/documents.ts';
import type { Principals } from '../storage/principals.ts';
import type { Arguments, Shape } from './arguments.ts';
import type { Said } from './said.ts';

/** What commands work on; they run beside the service, on the same store. */
export interface Store {
  readonly principals: Principals;
  readonly documents: Documents;
  readonly discoveries: Discoveries;
  readonly random: RandomBytes;
  readonly defaultPerMinute: number;
}

/** One verb: what it takes, what it does and what it prints. `about` is its line in the help. */
export interface Command extends Shape {
  readonly about: string;
  readonly run: (store: Store, given: Arguments) => Promise<Said>;
}

/** The verbs of one noun. */
export type Verbs = Readonly<Record<string, Command>>;
