/** Every limit of the worker, with its unit; the values come from the settings. */
export interface WorkerLimits {
  /** How many discoveries this process runs at once, over all networks. */
  readonly concurrentTotal: number;
  /** The same for each network. */
  readonly concurrentPerNetwork: number;
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  /** Deadline of one attempt. */
  readonly attemptSeconds: number;
  /** Attempts before a discovery is given up as `internal-error`. */
  readonly attempts: number;
  readonly backoffSeconds: number;
  readonly backoffMaxSeconds: number;
  /** How long a failure on the service's side is remembered (STA-05). */
  readonly retryableRememberedSeconds: number;
  readonly terminalRememberedSeconds: number;
  readonly creatorFreshSeconds: number;
  readonly postFreshSeconds: number;
  /** Largest document, and largest list of a creator's posts, that is held; a larger one is a failed attempt. */
  readonly documentBytes: number;
  /** How long `creatorDeepAnalysis` stays on (CRB-10). */
  readonly deepSeconds: number;
  /** Whether creators with deep analysis on are refreshed unasked when they become stale. */
  readonly scheduledRefresh: boolean;
  /** Pace of the calls to each network, and how many may be made together after a quiet time. */
  readonly callsPerMinute: number;
  readonly callsBurst: number;
  /** Entities failing in a row before a network's circuit opens, and for how long it does at first. */
  readonly circuitFailures: number;
  readonly circuitSeconds: number;
  readonly pollMilliseconds: number;
}
