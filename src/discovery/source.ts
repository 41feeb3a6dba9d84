/** The errors with a meaning that a source may throw; the interface `Source` is in `../model.ts`. */

/** The network asks to slow down: the pace drops and the attempt is not counted (F9). */
export class SourceThrottled extends Error {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(`the network asks to wait ${retryAfterSeconds} s`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** This one entity could not be obtained, which says nothing of the network's health: the circuit does not count it. */
export class EntityFailed extends Error {}
