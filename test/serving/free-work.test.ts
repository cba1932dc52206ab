/** A free variation or alternative takes a unit of `work`, and gives it back unless it is delivered. */

import { listWorkLimits } from '../../lambda/quota/caller-limits';
import type { Limit } from '../../lambda/quota/limit';
import { createAiWorld, drawAfter } from '../fakes/ai-services';
import { aiCaller } from '../fakes/values';

/** An account whose base image is ready. */
async function createAccount() {
  const { ask, clock, readUsed: used, world } = createAiWorld();
  await clock.settle(ask());
  const countWork = () => used(listWorkLimits(aiCaller, '', clock.nowMs())[0] as Limit);
  const workBefore = await countWork();
  const countWorkUsed = async () => (await countWork()) - workBefore;
  return { ask, clock, countWorkUsed, world };
}

test('a free variation that is still being made gives its unit of work back', async () => {
  const { ask, clock, countWorkUsed, world } = await createAccount();
  world.model = drawAfter(60_000);
  expect(await clock.settle(ask({ variation: 2 }))).toMatchObject({
    refusal: { code: 'generation_in_progress' },
    payment: { state: 'free', units: [] },
  });
  expect(await countWorkUsed()).toBe(0);
});

test('a free variation that is delivered takes work for its delivery and its rendition', async () => {
  const { ask, clock, countWorkUsed } = await createAccount();
  expect(await clock.settle(ask({ variation: 2 }))).toMatchObject({
    outcome: 'served',
    payment: { freeReason: 'variation' },
  });
  expect(await countWorkUsed()).toBe(2);
});
