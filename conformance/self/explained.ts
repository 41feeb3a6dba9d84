/** Generated faults that survive, and why that is right; a survivor that is not here fails the self-proof. */
const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^extra key: \w+Error(?:\/|$)/, 'GEN-04 speaks of the bodies of 200 and 202; no rule forbids an error to say more'],
];

export const explained = (name: string): string | undefined => reasons.find(([pattern]) => pattern.test(name))?.[1];
