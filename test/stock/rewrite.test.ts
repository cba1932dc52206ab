/** Prompts that a model shortens: which, how often it is asked, and that the words decide without its answer. */

import type { RewriteAnswer } from '../../lambda/images/renderer-answer';
import type { RewriteJob } from '../../lambda/images/renderer-job';
import type { ChargeRefusal } from '../../lambda/problems/problem';
import { createRewrite } from '../../lambda/stock/rewrite';
import type { SearchCaller } from '../../lambda/stock/search-caller';
import { understand } from '../../lambda/stock/understand';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { createFakeStockProvider } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';

const prompt = 'dreamy slow sunday mornings with warm light falling on crumpled linen sheets';
const searches = ['linen bed morning', 'bedroom'] as const;
const asAnswered = ['linen bed -morning', '"bedroom"'] as const;

interface Asking {
  readonly requiresAllWords?: boolean;
  readonly caller?: Partial<SearchCaller>;
  readonly lang?: string;
}

function bench(answer: (asked: number) => Promise<RewriteAnswer>, mayAsk = true) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const cache = createFakeItemStore(clock);
  const ids = createFakeIds();
  const jobs: RewriteJob[] = [];
  /** In an instance of its own. */
  const rewritten = (query: string, { requiresAllWords = true, caller = {}, lang }: Asking = {}) => {
    const rewrite = createRewrite({ request: (job) => answer(jobs.push(job)), cache, clock, ids, telemetry });
    const provider = createFakeStockProvider('alpha', {
      capability: requiresAllWords ? { requiresAllWords } : {},
    });
    const search = {
      provider,
      request: request(query),
      subject: understand(query, lang),
      format: 'jpeg',
      deadlineMs: clock.nowMs() + 10_000,
      caller: { ...aSearchCaller, chargeModelRequest: async () => mayAsk, ...caller },
      requestsMax: 3,
    } as const;
    return clock.settle(rewrite(search));
  };
  return { clock, telemetry, rewritten, jobs, asked: () => jobs.length };
}

const answered = async (): Promise<RewriteAnswer> => ({ outcome: 'rewritten', searches: asAnswered });

it('searches with the words of what a model made of a prompt, and asks it once for all instances', async () => {
  const { rewritten, jobs, telemetry } = bench(answered);
  for (const subject of await Promise.all([rewritten(prompt), rewritten(prompt)])) {
    expect(subject.searches).toEqual(searches);
    expect(subject.words.map(({ word }) => word)).toEqual(['linen', 'bed', 'morning']);
    expect([subject.query, subject.head]).toEqual([prompt, understand(searches[0]).head]);
  }
  expect(jobs).toEqual([{ kind: 'rewrite', query: prompt }]);
  expect(telemetry.counts).toEqual([{ metric: 'rewritings', dimensions: { outcome: 'answered' } }]);
});

it('is asked for each prompt and language, and makes a head only of a noun', async () => {
  const { rewritten, jobs } = bench(async () => ({ outcome: 'rewritten', searches: ['–', 'quickly'] }));
  const subject = await rewritten(prompt);
  expect([subject.searches, 'head' in subject]).toEqual([['quickly'], false]);
  await rewritten(prompt, { lang: 'en' });
  await rewritten(prompt, { lang: 'en-GB' });
  await rewritten(`${prompt} again`);
  expect(jobs.map(({ lang }) => lang)).toEqual([undefined, 'en', 'en-GB', undefined]);
});

it.each([
  ['asked', 'prompt of seven words that carry it', prompt, 1],
  [
    'asked',
    'query of more than three words, one of which no table knows',
    'vordernberg castle winter snow',
    1,
  ],
  ['not asked', 'query of three words', 'vordernberg castle winter', 0],
  ['not asked', 'query whose words are all known', 'castle winter snow mountain', 0],
  [
    'not asked',
    'prompt that is short without its scaffolding',
    'a high quality photo of a red fox, website hero banner background',
    0,
  ],
])('is %s about a %s', async (_, __, query, times) => {
  const { rewritten, asked } = bench(answered);
  await rewritten(query);
  expect(asked()).toBe(times);
});

it('is not asked for a caller that may not search', async () => {
  const { rewritten, asked } = bench(answered);
  const refusal = { code: 'rate_limited', use: 'searches' } as ChargeRefusal;
  expect(await rewritten(prompt, { caller: { chargeSearch: async () => refusal } })).toEqual(
    understand(prompt),
  );
  expect(asked()).toBe(0);
});

it('is not asked for an engine that does not require all words', async () => {
  const { rewritten, asked } = bench(answered);
  expect((await rewritten(prompt, { requiresAllWords: false })).searches).toBeUndefined();
  expect(asked()).toBe(0);
});

it.each<[string, () => Promise<RewriteAnswer>, boolean]>([
  ['fails', () => Promise.reject(new Error('out of order')), true],
  ['gives no answer that counts', async () => ({ outcome: 'rewritten' }), true],
  ['answers with stop words', async () => ({ outcome: 'rewritten', searches: ['the', 'of'] }), true],
  ['may not be asked any more', answered, false],
])('leaves the search as the words make it when the model %s', async (_, answer, mayAsk) => {
  const { rewritten } = bench(answer, mayAsk);
  expect(await rewritten(prompt)).toEqual(understand(prompt));
});
