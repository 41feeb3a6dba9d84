import type { components } from '../../generated/api.ts';
import { parseHandle, parseIdentifier } from '../lookup/identifier.ts';
import { documentFor, postsFor, pushCreatorWithPosts } from '../lookup/projection.ts';
import type { Actor, Instant } from '../model.ts';
import type { Answer } from './answer.ts';
import { pieceOf } from './contract.ts';
import { batchIds, includeOf } from './parameters.ts';
import { batchAnswer, singleAnswer, type Handle, type Project, type ReadParts } from './reads.ts';

type Schemas = components['schemas'];

const EXTRAS = ['posts'] as const;

/** `GET /creators/{network}/{handle}` (CRE-01 to CRE-10). */
export function createGetCreator(parts: ReadParts): Handle<Answer<'getCreator'>> {
  return function getCreator({ path, parameters }) {
    const withPosts = includeOf(parameters, EXTRAS).length > 0;
    const { network = null, handle = null } = path;
    const asked = [{ id: handle ?? '', parsed: parseHandle(network, handle, parts.networks) }];
    return async (actor) => {
      const [answered] = await parts.lookUp(actor, asked, { deep: false, extras: withPosts });
      const now = parts.clock();
      return singleAnswer<Schemas['CreatorResponse']>(answered!, now, projectCreator(parts, actor, now, withPosts));
    };
  };
}

/** `GET /creators` and `POST /creators/batch`: one function, so that they cannot differ (CRB-07). */
export function createCreatorBatch(parts: ReadParts): Handle<Answer<'listCreators'>> {
  return function creatorBatch({ parameters }) {
    const asked = batchIds(parameters).map((id) => ({
      id,
      parsed: parseIdentifier(id, 'creator', parameters.network, parts.networks),
    }));
    return async (actor) => {
      const answered = await parts.lookUp(actor, asked, { deep: parameters.deep, extras: false });
      const now = parts.clock();
      return batchAnswer<Schemas['CreatorBatch']>(
        answered,
        now,
        projectCreator(parts, actor, now, false),
        parts.onCorrupt,
      );
    };
  };
}

function projectCreator({ contract }: ReadParts, { marketplace }: Actor, now: Instant, withPosts: boolean): Project {
  const viewer = { marketplace, now };
  return (pieces, held) => {
    const document = contract.checkPiece(documentFor(held, viewer), pieceOf.creator);
    if (!withPosts) pieces.push(document);
    else pushCreatorWithPosts(pieces, document, contract.checkPiece(postsFor(held, viewer), pieceOf.creatorPosts));
  };
}
