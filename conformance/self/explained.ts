/** Generated faults that survive, and why that is right; a survivor that is not here fails the self-proof. */
const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [];

export const explained = (name: string): string | undefined => reasons.find(([pattern]) => pattern.test(name))?.[1];
