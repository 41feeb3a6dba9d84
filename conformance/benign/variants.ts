/**
 * Legal but unusual implementations. The suite has to be silent about each, by default and with `--strict`; those that
 * only go against a ruling of ours may be spoken of with `--strict`.
 */
import { unusualAnswers } from './answers.ts';
import { unusualDocuments } from './documents.ts';
import { spoken } from './spoken.ts';
import { stacks } from './stacks.ts';
import type { WireVariant } from './variant.ts';
import { movingWorlds, worlds } from './worlds.ts';

export const variants: readonly WireVariant[] = [
  ...[...unusualDocuments, ...unusualAnswers, ...stacks, ...worlds].map((one) => ({
    ...one,
    family: 'silent',
    strict: 'silent' as const,
  })),
  ...[...spoken, ...movingWorlds].map((one) => ({ ...one, family: 'by default', strict: 'may speak' as const })),
];
