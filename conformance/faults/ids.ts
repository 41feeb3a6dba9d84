/** Faults against IDS: the grammar of identifiers. */
import type { Table } from './edit.ts';
import { lists } from './ids-lists.ts';
import { names } from './ids-names.ts';
import { networks } from './ids-networks.ts';

export const ids: Table = (target) => [networks, lists, names].flatMap((rows) => rows(target));
