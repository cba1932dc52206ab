/** What becomes of a request at one provider: its pick, or the best candidate that can be delivered, and what is learnt on the way. */

import type { Candidate } from '../../lambda/images/image';
import { RendererBusy } from '../../lambda/images/renderer';
import type { RenditionOutcome } from '../../lambda/images/renderer-job';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { SearchResult } from '../../lambda/stock/candidates';
import { findAtProvider } from '../../lambda/stock/find-at-provider';
import { type CheckedPick, pickKey, type StoredPick } from '../../lambda/stock/picks';
import { understand } from '../../lambda/stock/understand';
import { deliveryUrl } from '../fakes/branded';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { request } from '../fakes/stock';
import { candidate, createFakeStockProvider } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';

const dayMs = 86_400_000;
/** How the delivery of a candidate ends where it is not delivered. */
type End = 'too-small' | 'unanswered' | 'broken' | 'failed' | 'busy';

interface Given {
  /** Ids of what the provider offers, the best first. */
  readonly offered?: readonly (string | Candidate)[];
  readonly ends?: Readonly<Record<string, End>>;
  readonly result?: Partial<SearchResult>;
  /** The picks that are stored, by the kind of the pick, and what checking them says. */
  readonly stored?: Readonly<Record<string, Partial<StoredPick> & { readonly id: string }>>;
  readonly checked?: Partial<CheckedPick>;
  readonly change?: Partial<StockRequest>;
  readonly isLooseWanted?: boolean;
}

const provider = createFakeStockProvider('alpha');
const small = { widthPx: 100, heightPx: 100 };
const loose = (id: string) =>
  candidate(id, { description: { rank: 1, title: id, match: { score: 1, coverage: 0.2 } } });

async function found(given: Given = {}) {
  const { offered = [], ends = {}, stored = {}, change = {}, isLooseWanted = false } = given;
  const clock = createVirtualClock();
  const nowMs = clock.nowMs();
  const of = request('lake', change);
  const searches: number[] = [];
  const checks: number[] = [];
  const delivery = {
    publicUrl: () => deliveryUrl('https://cdn.example/a'),
    signedUrl: () => Promise.reject(new Error('A stock image is public.')),
  };
  const tried: string[] = [];
  const endOf = (url: string): Promise<RenditionOutcome> => {
    const id = /([^/]+)\.jpg$/.exec(url)?.[1] ?? '';
    tried.push(id);
    const end = ends[id];
    if (end === 'failed') return Promise.reject(new Error('out of order'));
    if (end === 'busy') return Promise.reject(new RendererBusy('no free instance'));
    if (end === undefined) return Promise.resolve({ outcome: 'stored' });
    return Promise.resolve({ outcome: 'unusable', reason: end, ...(end !== 'broken' && { because: end }) });
  };
  const { findings, image, looseCoverage } = await findAtProvider(
    {
      clock,
      telemetry: createRecordedTelemetry(),
      delivery,
      renderer: { render: ({ source }) => endOf(source.kind === 'remote' ? source.url : '') },
      candidates: {
        search: async (_, requestsMax) => {
          searches.push(requestsMax);
          const value = {
            candidates: offered.map((each, rank) =>
              typeof each === 'string'
                ? candidate(each, {
                    description: { rank: rank + 1, title: each, match: { score: 1, coverage: 1 } },
                  })
                : each,
            ),
            unusable: {},
          };
          const offer = { value, freshUntilMs: nowMs + dayMs, staleUntilMs: nowMs + dayMs };
          return { offer, isStale: false, requestsSent: 1, ...given.result };
        },
        markBroken: async () => undefined,
      },
      picks: {
        keep: async () => undefined,
        find: async (key) => {
          const of = stored[names[key] ?? ''];
          const value = of && {
            candidate: candidate(of.id),
            fit: 'exact' as const,
            offeredMs: 0,
            ...of,
          };
          return value && { value, freshUntilMs: 0, staleUntilMs: nowMs + dayMs };
        },
        check: async (_, __, { value }, requestsMax) => {
          checks.push(requestsMax);
          return { pick: value, isGone: false, checkedUntilMs: nowMs + 5, requestsSent: 1, ...given.checked };
        },
      },
    },
    {
      provider: { ...provider, sourceFor: ({ sourceUrl }) => ({ kind: 'fetch', url: sourceUrl }) },
      request: of,
      subject: understand('lake'),
      format: 'jpeg',
      deadlineMs: nowMs + 10_000,
      caller: aSearchCaller,
      requestsMax: 3,
    },
    isLooseWanted,
  );
  const picks = findings.picks.map(({ key, candidate: { id }, checkedUntilMs, replaces }) =>
    [names[key] ?? '?', id, checkedUntilMs - nowMs, ...(replaces ? [replaces] : [])].join(' '),
  );
  const { met, passed, broken } = findings;
  return {
    image: image && [image.candidate.id, image.keepUntilMs - nowMs],
    looseCoverage,
    ...{ met, passed, broken, picks, searches, checks, tried },
  };
}
const names: Record<string, string> = {
  [pickKey('alpha', request('lake'), 'usual')]: 'usual',
  [pickKey('alpha', request('lake'), 'larger')]: 'larger',
};
const asked = { requestsSent: 1 };
/** Nothing is met beside what is named. */
const asExpected = async (_: string, given: Given, expected: { readonly met?: object }) => {
  const result = await found(given);
  expect(result).toMatchObject(expected);
  if (expected.met) expect(result.met).toEqual(expected.met);
};

it.each<[string, Given, object]>([
  [
    'the best candidate, which becomes the pick',
    { offered: ['a', 'b'] },
    {
      image: ['a', dayMs],
      picks: [`usual a ${dayMs}`],
      searches: [3],
      passed: [],
      broken: [],
      met: asked,
    },
  ],
  [
    'nothing where nothing is offered',
    {},
    { image: undefined, looseCoverage: undefined, picks: [], met: asked },
  ],
  [
    'nothing where the provider failed, which is said',
    { result: { offer: undefined as never, isFailed: true, retryAtMs: 7 } },
    { image: undefined, met: { ...asked, isFailed: true, retryAtMs: 7 } },
  ],
  ['an outage that is said', { result: { isOutage: true } }, { met: { ...asked, isOutage: true } }],
  [
    'one of a stale answer for a minute',
    { offered: ['a'], result: { isStale: true } },
    { image: ['a', 60_000], picks: ['usual a 60000'] },
  ],
  [
    'the next where the first is broken',
    { offered: ['a', 'b'], ends: { a: 'broken' } },
    { image: ['b', dayMs], picks: [`usual b ${dayMs}`], passed: ['a'], broken: ['a'], met: asked },
  ],
  [
    'the next for ten minutes where the server of the first does not answer',
    { offered: ['a', 'b'], ends: { a: 'unanswered' } },
    { image: ['b', 600_000], picks: [], passed: ['a'], broken: ['a'] },
  ],
  [
    'nothing after four that are broken, which is a failure',
    { offered: ['a', 'b', 'c', 'd', 'e'], ends: { a: 'broken', b: 'broken', c: 'broken', d: 'broken' } },
    { image: undefined, tried: ['a', 'b', 'c', 'd'], met: { ...asked, isFailed: true } },
  ],
  [
    'nothing where the renderer fails',
    { offered: ['a', 'b'], ends: { a: 'failed' } },
    { image: undefined, tried: ['a'], passed: [], met: { ...asked, isFailed: true } },
  ],
  [
    'nothing where the renderer is busy',
    { offered: ['a'], ends: { a: 'busy' } },
    { met: { ...asked, isFailed: true, isRendererBusy: true } },
  ],
  [
    'the largest where the pick is too small, both kept',
    {
      offered: ['a', candidate('b', small), 'c', candidate('d', { widthPx: 9, heightPx: 5_000 })],
      ends: { a: 'too-small' },
    },
    {
      image: ['d', dayMs],
      picks: [`usual a ${dayMs}`, `larger d ${dayMs}`],
      searches: [3],
      passed: ['a'],
      broken: [],
    },
  ],
  [
    'none where all are too small, which is no failure',
    { offered: ['a', 'b'], ends: { a: 'too-small', b: 'too-small' } },
    { image: undefined, picks: [`usual a ${dayMs}`], passed: ['a', 'b'], broken: [], met: asked },
  ],
  [
    'no loose one, but how much it covers',
    { offered: [loose('a')] },
    { image: undefined, looseCoverage: 0.2, tried: [], picks: [] },
  ],
  [
    'a loose one that is wanted',
    { offered: [loose('a')], isLooseWanted: true },
    { image: ['a', dayMs], picks: [] },
  ],
])('finds %s', asExpected);

it('keeps a loose image for a day, however long its answer is kept', async () => {
  const nowMs = createVirtualClock().nowMs();
  const value = { candidates: [loose('a')], unusable: {} };
  const offer = { value, freshUntilMs: nowMs + 9 * dayMs, staleUntilMs: nowMs + 9 * dayMs };
  expect((await found({ isLooseWanted: true, result: { offer } })).image).toEqual(['a', dayMs]);
});

const stored = { usual: { id: 'a' } };
it.each<[string, Given, object]>([
  ['as it is', { stored }, { image: ['a', 5], picks: [], searches: [], checks: [3], met: asked }],
  [
    'not where its provider does not answer and it is too old',
    { stored, checked: { pick: undefined as never, isFailed: true } },
    { image: undefined, searches: [], tried: [], met: { ...asked, isFailed: true } },
  ],
  [
    'still, and as confirmed, where its provider has it no more but its file answers',
    { stored, checked: { isGone: true } },
    { image: ['a', dayMs], picks: [`usual a ${dayMs}`] },
  ],
  [
    'not where it is broken: another replaces it',
    { stored, offered: ['a', 'b'], ends: { a: 'broken' } },
    {
      image: ['b', dayMs],
      picks: [`usual b ${dayMs} a`],
      searches: [2],
      passed: ['a'],
      broken: ['a'],
      met: { requestsSent: 2 },
    },
  ],
  [
    'not where it is broken and nothing else is offered, which is no failure',
    { stored, ends: { a: 'broken' } },
    { image: undefined, broken: ['a'], met: { requestsSent: 2 } },
  ],
  [
    'not for now where its server does not answer',
    { stored, offered: ['a', 'b'], ends: { a: 'unanswered' } },
    { image: ['b', 600_000], picks: [], passed: ['a'], broken: [] },
  ],
  [
    'not where the renderer is busy',
    { stored, ends: { a: 'busy' } },
    { image: undefined, searches: [], met: { ...asked, isFailed: true, isRendererBusy: true } },
  ],
  [
    'in the larger one where it is too small',
    { stored: { ...stored, larger: { id: 'b' } }, ends: { a: 'too-small' } },
    { image: ['b', 5], checks: [3, 2], passed: ['a'], broken: [] },
  ],
  [
    'in the larger one, though its provider has that no more',
    { stored: { ...stored, larger: { id: 'b' } }, ends: { a: 'too-small' }, checked: { isGone: true } },
    { image: ['b', dayMs], picks: [`larger b ${dayMs}`] },
  ],
  [
    'in another for now where the larger one is too small as well',
    { stored: { ...stored, larger: { id: 'b' } }, offered: ['c'], ends: { a: 'too-small', b: 'too-small' } },
    { image: ['c', 600_000], picks: [], passed: ['a', 'b'], broken: [] },
  ],
])('serves the pick %s', asExpected);
