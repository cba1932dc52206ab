/** Permalinks and picks of AI images: the callers that get the image, and its size. */

import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import { makeImageId } from '../../lambda/generation/ai-image-identity';
import { removeImage } from '../../lambda/generation/ai-image-store';
import { makeAiPick, storePickedAiImage } from '../../lambda/images/picked-images';
import type { RenditionJob } from '../../lambda/images/renderer-job';
import type { Limit } from '../../lambda/quota/limit';
import type { LabelledSize, Size } from '../../lambda/requests/rendition';
import { createAiServices, createRenderer, serveAi, storeAiImage, storedMaster } from '../fakes/ai-services';
import { createVirtualClock } from '../fakes/clock';
import {
  aiCaller,
  aiRequest,
  makeAccountId,
  makeContext,
  makeImageKey,
  makeStoredPath,
  servedImage,
} from '../fakes/values';

function serving(sizeOfImage: Size) {
  const clock = createVirtualClock();
  const rendered: LabelledSize[] = [];
  const render = async ({ widthPx, heightPx, label }: RenditionJob) => {
    rendered.push({ widthPx, heightPx, ...(label && { label }) });
    return { outcome: 'stored' } as const;
  };
  const { services } = createAiServices(clock, { renderer: { render } });
  const key = makeImageKey(`G#live#acc_1#public#${'0'.repeat(64)}`);
  return async (size: Partial<LabelledSize>) => {
    await storeAiImage(services, key, { ...storedMaster, ...sizeOfImage });
    const context = makeContext(aiCaller, clock.nowMs());
    const answer = await serveAi(
      services,
      { source: 'ai', imageId: makeImageId(key), size },
      aiCaller,
      context,
    );
    expect(answer).toMatchObject({ outcome: 'served' });
    return rendered[0];
  };
}

const px = (widthPx: number, heightPx: number) => ({ widthPx, heightPx });
const labelled = { label: 'corner', widthPx: 300 } as const;

test.each<[string, Partial<LabelledSize>, Size, LabelledSize]>([
  ['no size', {}, px(1536, 864), px(1536, 864)],
  ['no size of a large one', {}, px(8000, 4000), px(4000, 2000)],
  ['a width', { widthPx: 600 }, px(1024, 1536), px(600, 900)],
  ['a height', { heightPx: 600 }, px(1536, 1024), px(900, 600)],
  ['a width at the edge', { widthPx: 100 }, px(1536, 658), px(100, 100)],
  ['a label', labelled, px(300, 200), { ...labelled, heightPx: 200 }],
  ['both sides', px(300, 300), px(1536, 864), px(300, 300)],
])('a permalink with %s delivers the size that follows from its image', async (_, asked, own, expected) => {
  expect(await serving(own)(asked)).toEqual(expected);
});

const anonymous: Caller = { kind: 'anonymous' };
const testKey: Caller = { ...aiCaller, kind: 'test' };
const stranger: Caller = { ...aiCaller, account: makeAccountId('acc_2') };
test.each<[result: string, of: string, to: string, caller: Caller]>([
  ['delivered', 'live#acc_1#private', 'its account', aiCaller],
  ['not found', 'live#acc_1#private', 'a test key of its account', testKey],
  ['not found', 'live#acc_1#private', 'another account', stranger],
  ['not found', 'live#acc_1#private', 'an anonymous caller', anonymous],
  ['delivered', 'test#acc_1#private', 'a test key of its account', testKey],
  ['not found', 'test#acc_1#private', 'a live key of its account', aiCaller],
  ['delivered', 'live#acc_1#public', 'another account', stranger],
  ['delivered', 'live#acc_1#public', 'a test key of its account', testKey],
  ['delivered', 'live#acc_1#public', 'an anonymous caller', anonymous],
])('a permalink is %s: %s for %s', async (result, of, _, caller) => {
  const isShown = result === 'delivered';
  const clock = createVirtualClock();
  const { services, limits } = createAiServices(clock);
  const key = makeImageKey(`G#${of}#${'0'.repeat(64)}`);
  const folder = of.endsWith('private') ? 'private' : 'public';
  await storeAiImage(services, key, { ...storedMaster, path: makeStoredPath(`${folder}/a/01/master.png`) });
  const context = makeContext(aiCaller, clock.nowMs());
  const answer = await serveAi(
    services,
    { source: 'ai', imageId: makeImageId(key), size: {} },
    caller,
    context,
  );
  const notFound = { outcome: 'refused', refusal: { code: 'not_found' } };
  expect(answer).toMatchObject(isShown ? { outcome: 'served' } : notFound);
  // A caller without a key writes nothing.
  expect(limits.memory.listItems('images').size).toBe(isShown && caller.kind !== 'anonymous' ? 1 : 0);
});

/** Asks for an image of `acc_1` by its pick. @param ending what happens to the image before */
async function askedByPick(caller: KeyedCaller, visibility: string, ending?: 'removed' | 'master gone') {
  const clock = createVirtualClock();
  const renderer = createRenderer(async ({ source }) => ({
    outcome: ending === 'master gone' && source.kind === 'stored' ? 'gone' : 'stored',
  }));
  const { services, limits } = createAiServices(clock, { renderer });
  const key = makeImageKey(`G#live#acc_1#${visibility}#${'0'.repeat(64)}`);
  const imageId = makeImageId(key);
  const pick = makeAiPick(imageId);
  await storeAiImage(services, key);
  await storePickedAiImage(services, { ...servedImage, imageId, pick });
  if (ending === 'removed') await removeImage(services, key);
  const plain = makeContext(caller, clock.nowMs());
  const work = { ...(plain.workLimits[0] as Limit), max: 2 };
  const context = { ...plain, workLimits: [work] };
  const ask = (widthPx = 300) => serveAi(services, { ...aiRequest, pick, widthPx }, caller, context);
  const answer = await ask();
  return {
    answer,
    ask,
    workTaken: () => limits.readUsed(work),
    used: await limits.readUsed(context.requestLimits[0]),
  };
}

const keyed = (change: Partial<KeyedCaller>): KeyedCaller => ({ ...aiCaller, ...change });
test.each<[result: string, visibility: string, by: string, caller: KeyedCaller]>([
  ['delivered', 'private', 'its account', aiCaller],
  ['delivered', 'private', 'a signer of its account', keyed({ publishedAs: 'signer' })],
  ['not found', 'private', 'a site key of its account', keyed({ publishedAs: 'site' })],
  ['not found', 'public', 'a site key of its account', keyed({ publishedAs: 'site' })],
  ['not found', 'private', 'a test key of its account', keyed({ kind: 'test' })],
  ['not found', 'private', 'another account', keyed({ account: makeAccountId('acc_2') })],
  ['delivered', 'public', 'another account', keyed({ account: makeAccountId('acc_2') })],
])('the pick of an image is %s: a %s image for %s', async (result, visibility, _, caller) => {
  const isShown = result === 'delivered';
  const noImage = { outcome: 'refused', refusal: { code: 'no_image_found' } };
  const { answer } = await askedByPick(caller, visibility);
  expect(answer).toMatchObject(isShown ? { outcome: 'served' } : noImage);
  // A caller that may not see an image gets no card of it.
  const { answer: card } = await askedByPick(caller, visibility, 'removed');
  expect(card).toMatchObject(isShown ? { image: { fallback: 'gone' } } : noImage);
});

test('the card of a pick takes work in each new size', async () => {
  const { ask, workTaken } = await askedByPick(aiCaller, 'private', 'removed');
  expect([await ask(), await workTaken()]).toMatchObject([{ outcome: 'served' }, 1]);
  expect([await ask(400), await workTaken()]).toMatchObject([{ outcome: 'served' }, 2]);
  const refusal = { code: 'rate_limited', kind: 'work' };
  expect(await ask(500)).toMatchObject({ refusal, payment: { state: 'free' } });
});

test.each(['removed', 'master gone'] as const)(
  'the card of a pick costs no request if the image is gone (%s)',
  async (ending) => {
    const { answer, used } = await askedByPick(aiCaller, 'private', ending);
    const payment = {
      state: 'free',
      freeReason: 'no-image',
      rateLimit: { limit: 50_000, remaining: 50_000 },
    };
    expect([answer, used]).toMatchObject([{ payment }, 0]);
  },
);
