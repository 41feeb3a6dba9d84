/**
 * The checks that are scored, for each version of the contract: who passed it keeps passing it. A check written later runs, is
 * shown, and counts from the next version on.
 */
const numbers: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  '1.0.0': {
    GEN: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13],
    AUT: [1, 2, 3, 4, 5, 6, 7, 9, 10, 12],
    ORG: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    RAT: [1, 2, 3, 4, 5, 6, 7],
    IDS: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    CRE: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    CRB: [1, 2, 3, 4, 5, 6, 7, 8],
    PST: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    DOC: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    STA: [4],
    ERR: [1, 2, 3],
    VER: [1],
  },
};

/** Whether a rule's check is scored; of a version that has not been frozen yet, every one is. */
export function isScored(contractVersion: string, rule: string): boolean {
  const frozen = numbers[contractVersion];
  return frozen === undefined || (frozen[rule.slice(0, 3)] ?? []).includes(Number(rule.slice(4)));
}
