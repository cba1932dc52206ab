/** What a scripted request does on the instance that it reaches. */

import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import { imageIdOf, imageKeyOf } from '../../lambda/generation/generation-identity';
import type { Answer } from '../../lambda/images/answer';
import type { ServedImage } from '../../lambda/images/image';
import type { RequestContext } from '../../lambda/quota/request-context';
import { changeOperatorImages } from '../../lambda/stock/change-operator-images';
import type { NewPhoto } from '../../lambda/stock/library/manage-photos';
import type { ScriptedRequest } from './history';
import type { Random } from './kernel';
import type { Front } from './world';

interface Given {
  readonly front: Front;
  readonly scripted: ScriptedRequest;
  readonly caller: Caller;
  readonly context: RequestContext;
  /** What anybody has made or been shown so far, whoever asks. */
  readonly known: { readonly imageKeys: readonly string[]; readonly picks: readonly ServedImage[] };
  readonly random: Random;
}

/** Answers for the images of the request, in order; none where it changes something alone. */
type Perform = (given: Given) => Promise<readonly Answer[]>;

const image: Perform = async ({ front: { serve }, scripted: { request }, caller, context }) => {
  return [await serve(request, caller, context)];
};

const batch: Perform = ({ front, scripted: { entries = [] }, caller, context }) =>
  front.serveBatch({ entries, exclude: [] }, caller as KeyedCaller, context);

const permalink: Perform = async ({ front, scripted: { request }, caller, context, known, random }) => {
  const imageId = known.imageKeys.length === 0 ? 'none' : imageIdOf(imageKeyOf(random.pick(known.imageKeys)));
  return [await front.servePermalink(imageId, request, caller, context)];
};

/** The operator takes an image down: an AI image of anybody, and a stock image for everybody. */
const remove: Perform = async ({ front: { index, memory }, known, random }) => {
  if (known.imageKeys.length > 0) await index.remove(imageKeyOf(random.pick(known.imageKeys)));
  const shown = known.picks.filter(({ source }) => source !== 'ai');
  if (shown.length === 0) return [];
  const pick = random.pick(shown).pick ?? '';
  await changeOperatorImages(memory, async (before) => ({
    ...before,
    removed: [...before.removed, pick],
  }));
  return [];
};

/** The operator adds a photograph, or takes all of them away again. */
const photograph: Perform = async ({ front: { photos }, scripted: { request, requestId }, random }) => {
  if (random.chance(0.3)) {
    await photos.remove((await photos.list()).map(({ id }) => id));
    return [];
  }
  async function* incoming(): AsyncGenerator<NewPhoto> {
    yield {
      file: `${requestId}.jpg`,
      title: request.query,
      keywords: [],
      width: 3_000,
      height: 2_000,
      bytes: new Uint8Array(),
      mediaType: 'image/jpeg',
      // One that is added again while it is removed may be listed without its file, and is passed over then.
      sha256: requestId,
    };
  }
  await photos.add(incoming());
  return [];
};

export const performing: Readonly<Record<NonNullable<ScriptedRequest['act']> | 'image', Perform>> = {
  image,
  batch,
  permalink,
  remove,
  photograph,
};
