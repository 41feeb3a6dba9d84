import type { components } from '../../generated/api.ts';
import { parseIdentifier, parsePostUrl } from '../lookup/identifier.ts';
import { analysisOf, documentFor, pushPostWithAnalysis } from '../lookup/projection.ts';
import type { Actor, AnalysisKey, Instant } from '../model.ts';
import type { Answer } from './answer.ts';
import { pieceOf } from './contract.ts';
import { badRequest } from './errors.ts';
import { batchIds, includeOf, type Parameters } from './parameters.ts';
import { batchAnswer, singleAnswer, type Handle, type Project, type ReadParts } from './reads.ts';

type Schemas = components['schemas'];

/** `GET /posts` in its two forms, `url` and `ids`; a request has to use exactly one (PST-03). */
export function createGetPosts(parts: ReadParts): Handle<Answer<'getPosts'>> {
  const [single, batch] = [createPostByUrl(parts), createPostBatch(parts)];
  return function getPosts(asking) {
    const { url, ids } = asking.parameters;
    if (url !== null && ids !== null) throw badRequest('"url" and "ids" exclude one another; give one of them.');
    if (url === null && ids === null) throw badRequest('Give "url" for one post, or "ids" for 1 to 100 of them.');
    return url === null ? batch(asking) : single(asking);
  };
}

/** The form with `url`: 200, 202 or 404 (PST-01). */
function createPostByUrl(parts: ReadParts): Handle<Answer<'getPosts'>> {
  return function postByUrl({ parameters }) {
    const include = includeOfPosts(parts, parameters);
    const id = parameters.url ?? '';
    const asked = [{ id, parsed: parsePostUrl(id, parts.networks) }];
    return async (actor) => {
      const [answered] = await parts.lookUp(actor, asked, { deep: false, extras: include.length > 0 });
      const now = parts.clock();
      return singleAnswer<Schemas['PostResponse']>(answered!, now, projectPost(parts, actor, now, include));
    };
  };
}

/** `GET /posts?ids=` and `POST /posts/batch`: one function, so that they cannot differ (PST-02, CRB-07). */
export function createPostBatch(parts: ReadParts): Handle<Answer<'batchPosts'>> {
  return function postBatch({ parameters }) {
    const include = includeOfPosts(parts, parameters);
    const asked = batchIds(parameters).map((id) => ({
      id,
      parsed: parseIdentifier(id, 'post', parameters.network, parts.networks),
    }));
    return async (actor) => {
      const answered = await parts.lookUp(actor, asked, { deep: parameters.deep, extras: include.length > 0 });
      const now = parts.clock();
      return batchAnswer<Schemas['PostBatch']>(answered, now, projectPost(parts, actor, now, include), parts.onCorrupt);
    };
  };
}

function includeOfPosts({ contract }: ReadParts, parameters: Parameters): readonly AnalysisKey[] {
  return includeOf(parameters, contract.analysisKeys);
}

function projectPost(
  { contract }: ReadParts,
  { marketplace }: Actor,
  now: Instant,
  include: readonly AnalysisKey[],
): Project {
  const viewer = { marketplace, now };
  return (pieces, held) => {
    const document = contract.checkPiece(documentFor(held, viewer), pieceOf.post);
    if (include.length === 0) return void pieces.push(document);
    const analysis = analysisOf(held);
    contract.checkPiece(analysis.whole, pieceOf.analysis);
    pushPostWithAnalysis(pieces, document, include, analysis);
  };
}
