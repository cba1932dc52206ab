/** Short scenarios that together take every step of the charging protocol. */

import type { AiRequest } from '../../lambda/requests/image-request';
import { accountId } from '../fakes/branded';
import type { ScriptedRequest } from '../simulation/history';
import type { Setting } from '../simulation/setting';

/** One thing that happens, at a moment after the story's beginning, in milliseconds. */
export type Scene =
  | { readonly atMs: number; readonly ask: ScriptedRequest }
  | { readonly atMs: number; readonly sweepAheadMs: number };

export interface Story {
  readonly name: string;
  readonly setting: Partial<Setting>;
  readonly scenes: readonly Scene[];
}

/** Everything works, at once and in the same way every time. */
export const plainSetting: Setting = {
  startMs: Date.UTC(2026, 10, 30, 23, 59, 56),
  faultRate: 0,
  kinds: [],
  lateMaxMs: 0,
  pauseMaxMs: 0,
  skewMaxMs: 0,
  clocksJump: false,
  sweepsAheadMs: 0,
  sweepEveryMs: 60_000,
  indexLags: false,
  drawFailureRate: 0,
  drawMaxMs: 800,
  eventLossRate: 0,
  requestsPerMinute: undefined,
  limit: 30,
  cap: 10,
  isDowngraded: false,
  requests: 0,
  words: 1,
  gapMaxMs: 0,
  variationRate: 0,
  signedRate: 0,
  losses: 0,
  isStockSure: true,
  // One event is one delivery; what must be exact is judged by the books.
  isCalm: true,
};

const size = { widthPx: 100, heightPx: 100, asJson: false };

/** A request for an AI image of a private base, unless it is said otherwise. */
export function asking(
  requestId: string,
  changes: Partial<AiRequest> = {},
  by: Partial<ScriptedRequest> = {},
): ScriptedRequest {
  return {
    requestId,
    afterMs: 0,
    account: accountId('ann'),
    kind: 'live',
    front: 0,
    budgetMs: 8_000,
    ...by,
    request: { ...size, provider: 'ai', query: 'sea', style: 'photo', visibility: 'private', ...changes },
  };
}

/** A request for a stock image under a signer. */
function viewing(requestId: string, front: number): ScriptedRequest {
  const request = { ...size, provider: 'stock_a', query: 'lake', seed: '', filters: {} } as const;
  return { ...asking(requestId, {}, { front, ...signed }), request };
}

const signed = { publishedAs: 'signer' } as const;
const dayMs = 86_400_000;

export const stories: readonly Story[] = [
  {
    name: 'an image is made over the end of the month, and asked for again',
    setting: { drawMaxMs: 4_000 },
    scenes: [
      { atMs: 3_500, ask: asking('a') },
      { atMs: 3_600, ask: asking('b', {}, { front: 1 }) },
      { atMs: 30_000, ask: asking('c', {}, { front: 1 }) },
    ],
  },
  {
    name: 'a variation has its base made first',
    setting: {},
    scenes: [
      { atMs: 0, ask: asking('a', { variation: 1 }) },
      { atMs: 20_000, ask: asking('b') },
      { atMs: 30_000, ask: asking('c', { variation: 2 }) },
    ],
  },
  {
    name: 'an alternative is made where there is none, and found where there is one',
    setting: {},
    scenes: [
      { atMs: 0, ask: asking('a', { alt: 1, visibility: 'public' }) },
      { atMs: 20_000, ask: asking('b', { alt: 2 }, { account: accountId('bob'), front: 1 }) },
    ],
  },
  {
    name: 'an image is refused by the generator',
    setting: {},
    scenes: [
      { atMs: 0, ask: asking('a', { query: 'refused' }) },
      { atMs: 20_000, ask: asking('b', { query: 'refused' }) },
    ],
  },
  {
    name: 'more images are wanted at once than the plan allows',
    setting: { cap: 0 },
    scenes: [
      { atMs: 0, ask: asking('a') },
      { atMs: 10, ask: asking('b', { query: 'hill' }, { front: 1 }) },
      { atMs: 20_000, ask: asking('c', { query: 'hill' }) },
    ],
  },
  {
    name: 'an event is lost, and the sweeper clears up',
    setting: { eventLossRate: 1 },
    scenes: [
      { atMs: 0, ask: asking('a') },
      { atMs: 160_000, sweepAheadMs: 0 },
    ],
  },
  {
    name: 'an event is lost, and the next request of the account clears up',
    setting: { eventLossRate: 1, startMs: Date.UTC(2026, 10, 21, 12) },
    scenes: [
      { atMs: 0, ask: asking('a') },
      { atMs: 160_000, ask: asking('b', { query: 'hill' }) },
    ],
  },
  {
    name: 'a sweeper that is far too early takes the lease from a run at work',
    setting: { drawMaxMs: 3_000 },
    scenes: [
      { atMs: 0, ask: asking('a', {}, { budgetMs: 4_200 }) },
      { atMs: 90, sweepAheadMs: dayMs },
    ],
  },
  {
    name: 'old entries are pruned while new ones come',
    setting: {},
    scenes: [
      { atMs: 4_000, ask: asking('a') },
      { atMs: 4_500, ask: asking('b', { query: 'refused' }) },
      { atMs: 80_000, ask: asking('c', { query: 'hill' }) },
      { atMs: 160_000, ask: asking('d', { query: 'pine' }) },
    ],
  },
  {
    name: 'a signed stock image is viewed over midnight by two instances',
    setting: {},
    scenes: [
      { atMs: 0, ask: viewing('a', 0) },
      { atMs: 5, ask: viewing('b', 1) },
      { atMs: 2_000, ask: viewing('c', 1) },
      { atMs: 6_000, ask: viewing('d', 0) },
    ],
  },
  {
    name: 'a signed AI image is viewed in two shapes while it is made',
    setting: { startMs: Date.UTC(2026, 10, 21, 12) },
    scenes: [
      { atMs: 0, ask: asking('a', {}, signed) },
      { atMs: 100, ask: asking('b', { heightPx: 300 }, { front: 1, ...signed }) },
      { atMs: 170_000, ask: asking('c', {}, { front: 1, ...signed }) },
    ],
  },
  {
    name: 'a signed image is refused by the generator, and its payment given back',
    setting: {},
    scenes: [
      { atMs: 0, ask: asking('a', { query: 'refused' }, signed) },
      { atMs: 20_000, ask: asking('b', { query: 'refused' }, { front: 1, ...signed }) },
    ],
  },
];
