/** Tests alternatives of AI images in a batch: each slot with `alt` gets another public image. */

import type { KeyedCaller } from '../../lambda/credentials/caller';
import { makeAiPick } from '../../lambda/images/picked-images';
import { serveBatch } from '../../lambda/pages/serve-batch';
import { listWorkLimits } from '../../lambda/quota/caller-limits';
import type { Limit } from '../../lambda/quota/limit';
import type { AiRequest } from '../../lambda/requests/image-request';
import { createAiWorld } from '../fakes/ai-services';
import { aiCaller, aiRequest, makeAccountId, makeContext } from '../fakes/values';

/** A service on which each of these accounts has made a public image of the same words. */
async function createLibrary(...accounts: readonly string[]) {
  const { services, clock, ask, readUsedUnits, model } = createAiWorld();
  const publicIds: string[] = [];
  for (const account of accounts) {
    const owner: KeyedCaller = { ...aiCaller, account: makeAccountId(account) };
    const answer = await clock.settle(ask({ visibility: 'public' }, owner));
    publicIds.push((answer.outcome === 'served' && answer.image.imageId) || '');
  }
  /** Serves the slots as one batch, and returns the image id or refusal code of each. */
  const serveSlots = async (changes: readonly Partial<AiRequest>[], exclude: readonly string[] = []) => {
    const entries = changes.map((change, index) => ({
      pageSlot: `slot ${index}`,
      request: { ...aiRequest, ...change },
    }));
    const context = makeContext(aiCaller, clock.nowMs(), { plans: services.plans });
    const batchServices = { ...services, config: { PLANS: services.plans } } as never;
    const batch = { exclude, entries };
    const answers = await clock.settle(serveBatch(batchServices, batch, { caller: aiCaller, context }));
    return answers.map((answer) =>
      answer.outcome === 'served' ? answer.image.imageId : answer.refusal.code,
    );
  };
  const countWork = () => readUsedUnits(listWorkLimits(aiCaller, '', clock.nowMs())[0] as Limit);
  return { publicIds, serveSlots, countWork, model };
}

test('slots with different alt get different images', async () => {
  const { publicIds, serveSlots } = await createLibrary('acc_2', 'acc_3');
  expect(await serveSlots([{ alt: 1 }, { alt: 2 }])).toEqual(publicIds);
});

test('a slot whose alternative is shown elsewhere gets the next one', async () => {
  const { publicIds, serveSlots } = await createLibrary('acc_2', 'acc_3');
  expect(await serveSlots([{ alt: 1 }, { alt: 3 }])).toEqual(publicIds);
});

test.each([
  ['by another number', { alt: 2 }],
  ['in another ratio', { alt: 1, heightPx: 300 }],
])('one public image is shown once when it is asked for %s', async (_, second) => {
  const { publicIds, serveSlots, countWork } = await createLibrary('acc_2');
  expect(await serveSlots([{ alt: 1 }, second])).toEqual([publicIds[0], 'duplicate_image']);
  expect(await countWork()).toBe(1);
});

test('an excluded alternative is not shown', async () => {
  const { publicIds, serveSlots } = await createLibrary('acc_2', 'acc_3');
  const [excludedId = '', otherId] = publicIds;
  expect(await serveSlots([{ alt: 1 }, { alt: 1 }], [makeAiPick(excludedId)])).toEqual([
    otherId,
    'duplicate_image',
  ]);
});

test('without a public image, only one of two slots with alt shows an own image', async () => {
  const { serveSlots, model } = await createLibrary();
  const [first, second] = await serveSlots([{ alt: 1 }, { alt: 2 }]);
  expect([first, second, model.requests.length]).toEqual([
    expect.stringMatching(/^\w{26,}$/),
    'duplicate_image',
    1,
  ]);
});
