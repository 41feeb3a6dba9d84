/** What a benign variant is, and edits that several share. */
import type http from 'node:http';
import { json, type Any } from '../faults/edit.ts';
import type { AlterableResponse, Variant } from '../model.ts';

/** A variant may also say how its answer is written to the wire. */
export interface WireVariant extends Variant {
  readonly write?: (outgoing: http.ServerResponse, answer: AlterableResponse) => void;
}

/** A row of a table; the table says its family, and at which level the suite may speak of it. */
export type Row = Omit<WireVariant, 'family' | 'strict'>;

const walk = (value: Any, edit: (key: string, value: Any) => Any): Any => {
  if (Array.isArray(value)) return value.map((one) => walk(one, edit));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(edit(key, one), edit)]));
};

export const rewritten = (r: AlterableResponse, edit: (key: string, value: Any) => Any): void =>
  json(r, (body) => ({ instead: walk(body, edit) }));
