/** The parts of the image function as they are wired: what its settings change in each. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { servicesOf } from '../../../lambda/aws/dynamodb/call';
import { systemClock } from '../../../lambda/base/system';
import { dayWindow } from '../../../lambda/base/window';
import { tableVariables, variables } from '../../../lambda/contract/environment';
import { connectLambda } from '../../../lambda/functions/aws/invoke';
import { readConfig } from '../../../lambda/functions/config';
import { wireAi, wireAnnouncing } from '../../../lambda/functions/redirect/miss';
import { settings } from '../../../lambda/functions/redirect/settings';
import type { MissWiring, Wiring } from '../../../lambda/functions/redirect/wiring';
import { createGenerationIndex } from '../../../lambda/generation/dynamodb/generation-index';
import { imageIdOf } from '../../../lambda/generation/generation-identity';
import { pickedAiImages, pickOfAiImage } from '../../../lambda/images/picked-images';
import { createQuotaCounters } from '../../../lambda/quota/dynamodb/quota-counters';
import { createLedger } from '../../../lambda/quota/ledger';
import type { Limit } from '../../../lambda/quota/quota';
import { emptyStockMemory } from '../../../lambda/stock/stock-services';
import { aiCaller, aiRequest } from '../../fakes/ai';
import { reachAwsAt } from '../../fakes/aws-environment';
import { imageKey, libraryPath } from '../../fakes/branded';
import { createFakeIds } from '../../fakes/ids';
import { createFakeItemStore } from '../../fakes/item-store';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { tablesInMemory } from '../../fakes/observed';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { aContext } from '../../fakes/request-context';

let folder: string;
let aws: Loopback;
let leaveAws: () => void;
let paths: string[];
let asked: {
  /** Events for a bus. */
  readonly Entries?: readonly { readonly EventBusName: string }[];
  /** Of a job of the generator: the ceilings that have counted it. */
  readonly counted?: readonly string[];
  /** Of a rendition. */
  readonly label?: string;
}[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parts-'));
  asked = [];
  paths = [];
  aws = await listenOnLoopback(async (incoming, response) => {
    paths.push(incoming.url ?? '');
    asked.push(JSON.parse(Buffer.concat(await incoming.toArray()).toString() || '{}'));
    const isEvent = incoming.headers['x-amz-target'] === 'AWSEvents.PutEvents';
    // The generator takes no job, so that nobody waits for its image.
    if (incoming.headers['x-amz-invocation-type'] === 'Event')
      response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' });
    response.end(JSON.stringify(isEvent ? { FailedEntryCount: 0, Entries: [{}] } : { outcome: 'stored' }));
  });
  leaveAws = reachAwsAt(aws.address, 'eu-central-1');
});
afterEach(async () => {
  leaveAws();
  await aws.stop();
  rmSync(folder, { recursive: true });
});

/** What the parts share, over tables in memory, with settings of a test. */
function wiredWith(changes: Readonly<Record<string, string>> = {}) {
  const clock = systemClock;
  const telemetry = createRecordedTelemetry();
  const ids = createFakeIds();
  const needed = Object.entries(settings).filter(([, setting]) => !('fallback' in setting));
  const config = readConfig(
    {
      ...Object.fromEntries(needed.map(([name]) => [name, name])),
      [tableVariables.quotaCounters]: 'quotaCounters',
      [tableVariables.generationIndex]: 'generationIndex',
      [variables.imageBaseUrl]: 'https://images.example.org',
      [variables.imageStore]: pathToFileURL(folder).href,
      [variables.slotBindings]: '{"stock_a":"sandbox","stock_b":"openverse","stock_c":"sandbox"}',
      ...changes,
    },
    settings,
  );
  const { db } = tablesInMemory();
  const announced: string[] = [];
  const counters = createQuotaCounters(db, 'quotaCounters', telemetry);
  const noteServices = () => ({
    ...servicesOf(db),
    tables: { images: 'images' },
    telemetry,
    memory: emptyStockMemory(),
  });
  const wiring = {
    ...{ config, clock, ids, telemetry, noteServices },
    pickedImages: pickedAiImages(noteServices),
    cache: createFakeItemStore(clock),
    ledger: createLedger({ counters, clock, telemetry }),
    announceUsage: async ({ counter }: Limit) => void announced.push(counter.kind),
    counters,
    delivery: { publicUrl: (path: string) => `https://images.example.org/${path}` },
    lambda: connectLambda(),
    readSecret: async () => '{}',
  };
  return { db, telemetry, announced, wiring: wiring as unknown as Wiring & MissWiring };
}

test.each([
  ['put on the bus that is named', { EVENT_BUS: 'billing' }, ['billing'], []],
  ['in the log where none is', {}, [], ['A generation ceiling threshold was reached']],
])('an announcement is %s', async (_, changes, buses, logged) => {
  const { db, telemetry, wiring } = wiredWith(changes);
  const announce = wireAnnouncing(wiring, db);
  const window = dayWindow(wiring.clock.nowMs());
  const counter = { kind: 'fair-use', use: 'generations', owner: 'all' } as const;
  await announce({ counter, window, limit: 10 } as never, 8);
  expect(asked.flatMap(({ Entries = [] }) => Entries.map(({ EventBusName }) => EventBusName))).toEqual(buses);
  expect(telemetry.infos.map(({ message }) => message)).toEqual(logged);
});

const ofDay = { GENERATIONS_PER_DAY: '9' };
test.each([
  ['a live key', 'live', {}, ['month']],
  ['a live key, where the day has one', 'live', ofDay, ['month', 'share', 'day']],
  ['a test key', 'test', ofDay, ['month']],
  ['a test key that is switched off', 'test', { ...ofDay, TEST_KEYS_GENERATE: 'off' }, ['month']],
  ['a test key that may generate', 'test', { ...ofDay, TEST_KEYS_GENERATE: 'on' }, ['month', 'share', 'day']],
] as const)('ceilings on generations count those of %s', async (_, kind, changes, counted) => {
  const { db, announced, wiring } = wiredWith(changes);
  const caller = { ...aiCaller, kind };
  await wireAi(wiring, db).serveAi(aiRequest, caller, aContext(caller, wiring.clock.nowMs()));
  expect(asked.findLast((job) => 'lease' in job)?.counted).toEqual(counted);
  // The ceilings are announced by the ledger.
  expect(announced).toEqual(['account']);
});

test.each([
  [{}, 1],
  [{ WAITING_REQUESTS_MAX: '5' }, 0],
])('with %j, what bounds the waiting is read from the account %i times', async (changes, times) => {
  const { db, wiring } = wiredWith(changes);
  await wireAi(wiring, db).serveAi(aiRequest, aiCaller, aContext(aiCaller, wiring.clock.nowMs()));
  expect(paths.filter((path) => path.endsWith('/account-settings'))).toHaveLength(times);
});

test.each([
  [{}, undefined],
  [{ AI_LABEL: 'corner' }, 'corner'],
])(
  'with %j, an AI image has the label %s, and is known by its pick unless it was paid before',
  async (changes, label) => {
    const { db, wiring } = wiredWith(changes);
    const index = createGenerationIndex(db, 'generationIndex');
    const key = imageKey(`G#live#acc_1#public#${'0'.repeat(64)}`);
    const imageId = imageIdOf(key);
    const nowMs = wiring.clock.nowMs();
    await index.acquire({ key, execution: 'EX', imageId, nowMs, leaseEndsMs: nowMs + 1_000 });
    const master = { path: libraryPath('public/a/master.png'), model: 'm', widthPx: 640, heightPx: 360 };
    await index.finalize({ key, execution: 'EX', fence: 1 }, { master, charged: false, nowMs });
    const { servePermalink } = wireAi(wiring, db);
    const context = aContext(aiCaller, nowMs);
    const rateLimit = await wiring.ledger.status(context);
    const payment = { state: 'free', because: 'paid-before', rateLimit } as const;
    const known = () => wiring.pickedImages.imageId(pickOfAiImage(imageId));
    await servePermalink(imageId, {}, aiCaller, { ...context, payment });
    expect(await known()).toBeUndefined();
    const answer = await servePermalink(imageId, {}, aiCaller, context);
    expect([answer.outcome, asked.map((job) => job.label)]).toEqual(['served', [label, label]]);
    expect(await known()).toBe(imageId);
    // A rendition that somebody has taken out of the folder is made again.
    expect(asked).toHaveLength(2);
  },
);
