import type { Answer, OperationId } from './answer.ts';
import { createCreatorBatch, createGetCreator } from './creators.ts';
import type { QueryName } from './parameters.ts';
import { createGetPosts, createPostBatch } from './posts.ts';
import type { Handle, ReadParts } from './reads.ts';

export interface Route<Id extends OperationId> {
  readonly operation: Id;
  readonly method: 'GET' | 'POST';
  /** The query parameters that it reads; others are ignored (GEN-06). */
  readonly query: ReadonlySet<QueryName>;
  readonly handle: Handle<Answer<Id>>;
}

export type Routes = { readonly [Id in OperationId]: Route<Id> };
export type AnyRoute = Routes[OperationId];

const OF_ALL = ['asOrg', 'asProfile'] as const;

/** The route of every operation. A missing operation, or one that answers something undocumented, does not compile. */
export function createRoutes(parts: ReadParts): Routes {
  return {
    getCreator: {
      operation: 'getCreator',
      method: 'GET',
      query: new Set(['include', ...OF_ALL]),
      handle: createGetCreator(parts),
    },
    listCreators: {
      operation: 'listCreators',
      method: 'GET',
      query: new Set(['ids', 'network', ...OF_ALL]),
      handle: createCreatorBatch(parts),
    },
    batchCreators: { operation: 'batchCreators', method: 'POST', query: new Set(), handle: createCreatorBatch(parts) },
    getPosts: {
      operation: 'getPosts',
      method: 'GET',
      query: new Set(['url', 'ids', 'network', 'include', ...OF_ALL]),
      handle: createGetPosts(parts),
    },
    batchPosts: { operation: 'batchPosts', method: 'POST', query: new Set(), handle: createPostBatch(parts) },
  } satisfies Routes;
}
