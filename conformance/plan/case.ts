/** A row of the extended profile's table: a request, and how it has to be answered. */
import type { Level, PlannedRequest, Role } from '../model.ts';
import type { NetworkFixtures } from './fixtures.ts';
import { creatorPath, json, operationPath, query, type Step } from './planner.ts';

export interface Case {
  readonly step: string;
  readonly rules: readonly string[];
  readonly purpose: string;
  readonly request: Pick<PlannedRequest, 'operation' | 'path'> & Partial<Step>;
  readonly status: number;
  readonly reason?: string;
  /** `Allow` has to list it, and not the other of GET and POST. */
  readonly allow?: 'GET' | 'POST';
  readonly role?: Role;
  /** The specification says it; else it is a ruling, sent with --strict only. */
  readonly level?: Level;
}

export const list = (ids: string, more: Readonly<Record<string, string | undefined>> = {}): Case['request'] => ({
  operation: 'listCreators',
  path: `${operationPath.listCreators}${query({ ids, ...more })}`,
});
export const single = (
  { name, held }: NetworkFixtures,
  more: Readonly<Record<string, string | undefined>>,
): Case['request'] => ({
  operation: 'getCreator',
  path: creatorPath(name, held ?? 'someone', more),
});
export const posts = (parameters: Readonly<Record<string, string>>): Case['request'] => ({
  operation: 'getPosts',
  path: `${operationPath.getPosts}${query(parameters)}`,
});
export const batch = (operation: 'batchCreators' | 'batchPosts', body: unknown): Case['request'] => ({
  operation,
  path: operationPath[operation],
  ...json(body),
});
