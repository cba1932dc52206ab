/** One candidate in exactly the size of a request: where it comes from, what the renderer is told, and how it ends. */

import type { Candidate } from '../../lambda/images/image';
import type { RenditionJob, RenditionOutcome } from '../../lambda/images/renderer-job';
import type { StockRequest } from '../../lambda/requests/image-request';
import { type DeliverCandidateDeps, deliverCandidate, pickIdOf } from '../../lambda/stock/deliver-candidate';
import { NotClaimed, type SearchCaller } from '../../lambda/stock/search-caller';
import type { StockProvider } from '../../lambda/stock/stock-provider';
import { understand } from '../../lambda/stock/understand';
import { deliveryUrl } from '../fakes/branded';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { aPlaceholder, request } from '../fakes/stock';
import { candidate, createFakeStockProvider, fetched } from '../fakes/stock-provider';

interface Given {
  readonly sourceFor?: StockProvider['sourceFor'];
  readonly change?: Partial<StockRequest>;
  readonly about?: Partial<Candidate>;
  readonly anew?: boolean;
  readonly own?: boolean;
  readonly caller?: Partial<SearchCaller>;
  readonly rendering?: () => Promise<RenditionOutcome>;
}

async function delivered(given: Given = {}) {
  const { sourceFor = fetched.sourceFor, change = {}, about = {}, anew = false, own, caller = {} } = given;
  const jobs: RenditionJob[] = [];
  const telemetry = createRecordedTelemetry();
  const deps: DeliverCandidateDeps = {
    renderer: {
      render: async (job) => {
        jobs.push(job);
        return given.rendering?.() ?? { outcome: 'stored' };
      },
    },
    delivery: {
      publicUrl: (path) => deliveryUrl(`https://cdn.example/${path}`),
      signedUrl: () => Promise.reject(new Error('A stock image is public.')),
    },
    telemetry,
    ...(own && { imageDelivery: 'own' }),
  };
  const search = {
    provider: createFakeStockProvider('alpha', { sourceFor }),
    request: request('lake', change),
    subject: understand('lake'),
    format: 'jpeg',
    deadlineMs: 1,
    caller: { ...aSearchCaller, ...caller },
    requestsMax: 3,
  } as const;
  const answer = await deliverCandidate(deps, search, candidate('a', about), anew);
  return { answer, jobs, telemetry };
}

const url = 'https://images.example/a.jpg';

it.each<[string, Given, object]>([
  ['nothing else', {}, {}],
  ['the side that is asked for', { change: { filters: { crop: 'top' } } }, { crop: 'top' }],
  ['that it is fetched again', { anew: true }, { anew: true }],
  ['that it may be enlarged for a page that has chosen it', { change: { pick: 'p' } }, { enlarge: true }],
])('a rendition is told %s', async (_, given, told) => {
  const { answer, jobs } = await delivered(given);
  const [{ path, ...job } = { path: '' }] = jobs;
  expect(job).toEqual({
    source: { kind: 'remote', url, allowedHosts: ['images.example'] },
    widthPx: 1_920,
    heightPx: 1_080,
    format: 'jpeg',
    metadata: { creditLine: 'Image a', aiGenerated: false },
    ...told,
  });
  expect(answer).toEqual({ outcome: 'delivered', location: `https://cdn.example/${path}` });
});

it('has a rendition of its own for each size and crop', async () => {
  const given: readonly Given[] = [
    {},
    { change: { widthPx: 1_900 } },
    { change: { heightPx: 1_000 } },
    { change: { filters: { crop: 'top' } } },
    { change: { filters: { crop: 'center' } } },
  ];
  const paths = await Promise.all(given.map(async (each) => (await delivered(each)).jobs[0]?.path));
  expect(new Set(paths).size).toBe(given.length);
});

it.each<[string, RenditionOutcome, object]>([
  [
    'stored with its placeholder',
    { outcome: 'stored', placeholder: aPlaceholder },
    { placeholder: aPlaceholder },
  ],
  ['gone', { outcome: 'gone' }, { outcome: 'broken' }],
  ['unusable', { outcome: 'unusable', reason: 'x' }, { outcome: 'broken' }],
  ['not answered', { outcome: 'unusable', reason: 'x', because: 'unanswered' }, { outcome: 'unanswered' }],
  ['too small', { outcome: 'unusable', reason: 'x', because: 'too-small' }, { outcome: 'too-small' }],
])('a rendition that is %s ends in %j', async (_, outcome, expected) => {
  const { answer, telemetry } = await delivered({ rendering: async () => outcome });
  expect(answer).toMatchObject(expected);
  const about = { provider: 'alpha', candidate: 'a', reason: 'x' };
  expect(telemetry.infos.map(({ fields }) => fields)).toEqual(outcome.outcome === 'unusable' ? [about] : []);
});

const hotlink = { kind: 'hotlink', url } as const;
const elsewhere = 'https://elsewhere.example/a.jpg';

it.each<[string, Given, object]>([
  ['one that its provider crops', { sourceFor: () => hotlink }, { outcome: 'delivered', location: url }],
  [
    'one whose use is reported',
    { sourceFor: () => ({ ...hotlink, reportUrl: 'r' }) },
    { outcome: 'delivered', location: url, reportUrl: 'r' },
  ],
  [
    'one that its provider may not have any more',
    { sourceFor: () => hotlink, anew: true },
    { outcome: 'broken' },
  ],
  ['one that is too small', { sourceFor: () => undefined }, { outcome: 'too-small' }],
  ['one from elsewhere', { sourceFor: () => ({ kind: 'fetch', url: elsewhere }) }, { outcome: 'broken' }],
  ['one that was removed', { change: { removed: [pickIdOf('alpha', 'a')] } }, { outcome: 'broken' }],
])('%s is not rendered: %j', async (_, given, expected) => {
  const { answer, jobs, telemetry } = await delivered(given);
  expect([answer, jobs]).toEqual([expected, []]);
  const isElsewhere = given.sourceFor?.(candidate('a'), { widthPx: 1, heightPx: 1 })?.kind === 'fetch';
  const fields = { provider: 'alpha', candidate: 'a' };
  expect(telemetry.errors).toMatchObject(isElsewhere ? [{ fields }] : []);
});

it('with own delivery is rendered, whoever crops it', async () => {
  const { jobs } = await delivered({ sourceFor: () => hotlink, own: true, anew: true });
  expect(jobs).toMatchObject([{ source: { kind: 'remote', url }, anew: true }]);
});

it('that a page has chosen is the largest that its provider has, or enlarged by its servers', async () => {
  const wanted: unknown[] = [];
  const upTo =
    (kind: 'fetch' | 'hotlink', maxPx: number): StockProvider['sourceFor'] =>
    ({ widthPx: originalPx }, { widthPx, heightPx }) => {
      wanted.push([originalPx, widthPx, heightPx]);
      return originalPx === undefined || widthPx <= maxPx ? { kind, url } : undefined;
    };
  const change = { pick: 'p', widthPx: 1_920, heightPx: 1_081 };
  expect((await delivered({ change, sourceFor: upTo('fetch', 500) })).jobs).toMatchObject([
    { widthPx: 1_920 },
  ]);
  const halved = [
    [4_000, 1_920, 1_081],
    [4_000, 960, 540],
    [4_000, 480, 270],
  ];
  expect(wanted.splice(0)).toEqual(halved);
  await delivered({ change, sourceFor: upTo('hotlink', 500) });
  expect(wanted.splice(0)).toEqual([...halved, [undefined, 1_920, 1_081]]);
  await delivered({ change, sourceFor: upTo('hotlink', 1_920) });
  expect(wanted.splice(0)).toEqual(halved.slice(0, 1));
  // Down to a side of one pixel.
  const line = { ...change, widthPx: 8, heightPx: 4 };
  expect((await delivered({ change: line, sourceFor: upTo('fetch', 1) })).answer).toEqual({
    outcome: 'too-small',
  });
  expect(wanted).toEqual([
    [4_000, 8, 4],
    [4_000, 4, 2],
    [4_000, 2, 1],
  ]);
});

it('is claimed before it is rendered', async () => {
  const steps: string[] = [];
  const claim = async (pick: string) => void steps.push(pick);
  const rendering = async () => {
    steps.push('rendered');
    return { outcome: 'stored' } as const;
  };
  await delivered({ caller: { claim }, rendering });
  expect(steps).toEqual([pickIdOf('alpha', 'a'), 'rendered']);
  const refuse = () => Promise.reject(new NotClaimed());
  await expect(delivered({ caller: { claim: refuse } })).rejects.toThrow(NotClaimed);
});
