import type { Clock, Source } from '../model.ts';
import type { Claimed, Discoveries } from '../storage/discoveries.ts';
import type { Documents } from '../storage/documents.ts';
import type { Timers } from './attempt.ts';
import type { WorkerLimits } from './limits.ts';

export type Claim = Claimed;
export type DiscoveryQueue = Discoveries;
export type DocumentStore = Pick<Documents, 'load' | 'put' | 'putFailure' | 'setDeep' | 'sweep'>;

/** A document by its schema's name in the contract. */
export type DocumentSchema = 'Creator' | 'CreatorPost' | 'Post' | 'Analysis';

/** The part of pino's interface that the worker uses. */
export interface WorkerLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface WorkerParts {
  readonly documents: DocumentStore;
  readonly discoveries: DiscoveryQueue;
  readonly sources: readonly Source[];
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock, for pace, circuit and back-off; default: the clock. */
  readonly timer?: () => number;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Name of this process among all that share the store. */
  readonly owner: string;
  /** Throws when a value breaks its schema of the contract. */
  readonly checkDocument: (schema: DocumentSchema, value: unknown) => void;
  readonly limits: WorkerLimits;
  readonly log: WorkerLog;
  readonly timers?: Timers;
}
