/** Answers the lasting address of one AI picture: for whoever may see it, as an ordinary request; for all others it does not exist. */

import type { Answer } from '../../domain/answer/answer';
import type { Caller } from '../../domain/caller/caller';
import type { Generation } from '../../domain/generation/generation';
import { ownershipOf } from '../../domain/generation/generation-identity';
import type { Size } from '../../domain/picture/image';
import type { GenerationIndex } from '../../ports/tables/generation-index';
import type { Meter } from '../meter';
import type { Circumstances } from '../serve-stock';
import type { Gallery } from './gallery';
import { payFor } from './pay-for';

export interface ServePermalinkDeps {
  readonly index: GenerationIndex;
  readonly gallery: Gallery;
  readonly meter: Meter;
}

export type ServePermalink = (
  imageId: string,
  size: Size,
  caller: Caller,
  circumstances: Circumstances,
) => Promise<Answer>;

export function createServePermalink(deps: ServePermalinkDeps): ServePermalink {
  return async (imageId, size, caller, circumstances) => {
    const generation = await deps.index.byImageId(imageId);
    if (generation?.state !== 'READY' || !maySee(generation, caller))
      return { outcome: 'refused', refusal: { code: 'not_found' } };
    // The delivery that the making has paid for belongs to the account that has paid.
    const due = generation.due && isOwner(generation, caller);
    return payFor(deps, { generation: { ...generation, due }, led: false }, size, circumstances);
  };
}

function maySee(generation: Generation, caller: Caller): boolean {
  return ownershipOf(generation.key).visibility === 'public' || isOwner(generation, caller);
}

function isOwner({ key }: Generation, caller: Caller): boolean {
  const { mode, account } = ownershipOf(key);
  return caller.kind === mode && caller.account === account;
}
