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

/** Asks for an image by its permalink. Returns the size that was rendered. */
async function deliverPermalink(masterSize: Size, size: Partial<LabelledSize>) {
  const clock = createVirtualClock();
  const rendered: LabelledSize[] = [];
  const render = async ({ widthPx, heightPx, label }: RenditionJob) => {
    rendered.push({ widthPx, heightPx, ...(label && { label }) });
    return { outcome: 'stored' } as const;
  };
  const { services } = createAiServices(clock, { renderer: { render } });
  const key = makeImageKey(`G#live#acc_1#public#${'0'.repeat(64)}`);
  await storeAiImage(services, key, { ...storedMaster, ...masterSize });
  const permalink = { source: 'ai', imageId: makeImageId(key), size } as const;
  const answer = await serveAi(services, permalink, aiCaller, makeContext(aiCaller, clock.nowMs()));
  expect(answer).toMatchObject({ outcome: 'served' });
  return rendered[0];
}

const makeSize = (widthPx: number, heightPx: number) => ({ widthPx, heightPx });
const labelled = { label: 'corner', widthPx: 300 } as const;

test.each<[string, Partial<LabelledSize>, Size, LabelledSize]>([
  ['no size', {}, makeSize(1536, 864), makeSize(1536, 864)],
  ['no size of a large one', {}, makeSize(8000, 4000), makeSize(4000, 2000)],
  ['a width', { widthPx: 600 }, makeSize(1024, 1536), makeSize(600, 900)],
  ['a height', { heightPx: 600 }, makeSize(1536, 1024), makeSize(900, 600)],
  ['a width at the edge', { widthPx: 100 }, makeSize(1536, 658), makeSize(100, 100)],
  ['a label', labelled, makeSize(300, 200), { ...labelled, heightPx: 200 }],
  ['both sides', makeSize(300, 300), makeSize(1536, 864), makeSize(300, 300)],
])(
  'a permalink with %s delivers the size that follows from its image',
  async (_, size, masterSize, expected) => {
    expect(await deliverPermalink(masterSize, size)).toEqual(expected);
  },
);

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
])('a permalink is %s: %s for %s', async (result, keyPart, _, caller) => {
  const isShown = result === 'delivered';
  const clock = createVirtualClock();
  const { services, limits } = createAiServices(clock);
  const key = makeImageKey(`G#${keyPart}#${'0'.repeat(64)}`);
  const folder = keyPart.endsWith('private') ? 'private' : 'public';
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
async function askByPick(caller: KeyedCaller, visibility: string, ending?: 'removed' | 'master gone') {
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
  const plainContext = makeContext(caller, clock.nowMs());
  const workLimit = { ...(plainContext.workLimits[0] as Limit), max: 2 };
  const context = { ...plainContext, workLimits: [workLimit] };
  const ask = (widthPx = 300) => serveAi(services, { ...aiRequest, pick, widthPx }, caller, context);
  const answer = await ask();
  return {
    answer,
    ask,
    readWork: () => limits.readUsedUnits(workLimit),
    requestsTaken: await limits.readUsedUnits(context.requestLimits[0]),
  };
}

const makeCaller = (change: Partial<KeyedCaller>): KeyedCaller => ({ ...aiCaller, ...change });
test.each<[result: string, visibility: string, by: string, caller: KeyedCaller]>([
  ['delivered', 'private', 'its account', aiCaller],
  ['delivered', 'private', 'a signer of its account', makeCaller({ publishedAs: 'signer' })],
  ['not found', 'private', 'a site key of its account', makeCaller({ publishedAs: 'site' })],
  ['not found', 'public', 'a site key of its account', makeCaller({ publishedAs: 'site' })],
  ['not found', 'private', 'a test key of its account', makeCaller({ kind: 'test' })],
  ['not found', 'private', 'another account', makeCaller({ account: makeAccountId('acc_2') })],
  ['delivered', 'public', 'another account', makeCaller({ account: makeAccountId('acc_2') })],
])('the pick of an image is %s: a %s image for %s', async (result, visibility, _, caller) => {
  const isShown = result === 'delivered';
  const noImage = { outcome: 'refused', refusal: { code: 'no_image_found' } };
  const { answer } = await askByPick(caller, visibility);
  expect(answer).toMatchObject(isShown ? { outcome: 'served' } : noImage);
  // A caller that may not see an image gets no card of it.
  const { answer: card } = await askByPick(caller, visibility, 'removed');
  expect(card).toMatchObject(isShown ? { image: { fallback: 'gone' } } : noImage);
});

test('the card of a pick takes work in each new size', async () => {
  const { ask, readWork } = await askByPick(aiCaller, 'private', 'removed');
  expect([await ask(), await readWork()]).toMatchObject([{ outcome: 'served' }, 1]);
  expect([await ask(400), await readWork()]).toMatchObject([{ outcome: 'served' }, 2]);
  const refusal = { code: 'rate_limited', kind: 'work' };
  expect(await ask(500)).toMatchObject({ refusal, payment: { state: 'free' } });
});

test.each(['removed', 'master gone'] as const)(
  'the card of a pick costs no request if the image is gone (%s)',
  async (ending) => {
    const { answer, requestsTaken } = await askByPick(aiCaller, 'private', ending);
    const payment = {
      state: 'free',
      freeReason: 'no-image',
      rateLimit: { limit: 50_000, remaining: 50_000 },
    };
    expect([answer, requestsTaken]).toMatchObject([{ payment }, 0]);
  },
);
