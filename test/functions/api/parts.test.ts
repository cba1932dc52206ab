/** The parts of the image function as they are wired: what its settings change in each. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { deadlineAt } from '../../../lambda/base/deadline';
import { createExpiringCache } from '../../../lambda/base/expiring-cache';
import { systemClock } from '../../../lambda/base/system';
import { monthWindow } from '../../../lambda/base/window';
import { tableVariables, variables } from '../../../lambda/contract/environment';
import { announce, wireAi } from '../../../lambda/functions/api/miss';
import { settings } from '../../../lambda/functions/api/settings';
import type { MissWiring, Wiring } from '../../../lambda/functions/api/wiring';
import { connectLambda } from '../../../lambda/functions/aws/invoke';
import { readConfig } from '../../../lambda/functions/config';
import { imageIdOf } from '../../../lambda/generation/generation-identity';
import { acquire, finish } from '../../../lambda/generation/generations';
import { pickedAiImages, pickOfAiImage } from '../../../lambda/images/picked-images';
import { freePayment } from '../../../lambda/quota/payment';
import type { KnownImageServices } from '../../../lambda/services';
import { emptyStockMemory } from '../../../lambda/stock/stock-services';
import { aiCaller, aiRequest } from '../../fakes/ai';
import { reachAwsAt } from '../../fakes/aws-environment';
import { imageKey, libraryPath } from '../../fakes/branded';
import { createFakeIds } from '../../fakes/ids';
import { databaseOf } from '../../fakes/limits';
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
  /** Of a job of the generator: what has counted it. */
  readonly counted?: readonly { readonly key: string }[];
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
  const { db, memory } = tablesInMemory();
  const services: KnownImageServices = {
    database: databaseOf((command) => db.send(command as GetCommand)),
    clock,
    ids,
    random: Math.random,
    deadline: deadlineAt(Infinity),
    tables: memory.tableNames,
    refusals: createExpiringCache(100),
    telemetry,
    paidToday: createExpiringCache(100),
  };
  const noteServices = () => ({ ...services, memory: emptyStockMemory() });
  const wiring = {
    ...{ config, clock, ids, telemetry, noteServices },
    pickedImages: pickedAiImages(noteServices),
    services,
    delivery: { baseUrl: 'https://images.example.org' },
    lambda: connectLambda(),
    readSecret: async () => '{}',
  };
  return { db, telemetry, wiring: wiring as unknown as Wiring & MissWiring };
}

test.each([
  ['put on the bus that is named', { EVENT_BUS: 'billing' }, ['billing'], []],
  ['in the log where none is', {}, [], ['Generation ceiling threshold reached']],
])('an announcement is %s', async (_, changes, buses, logged) => {
  const { telemetry, wiring } = wiredWith(changes);
  await announce(wiring, { type: 'Generation ceiling threshold reached', detail: { percent: 80 } });
  expect(asked.flatMap(({ Entries = [] }) => Entries.map(({ EventBusName }) => EventBusName))).toEqual(buses);
  expect(telemetry.infos.map(({ message }) => message)).toEqual(logged);
});

const ofDay = { GENERATIONS_PER_DAY: '9' };
const [month, minutes, days] = [1, 2, 2];
test.each([
  ['a live key', 'live', {}, month + minutes],
  ['a live key, where the day has a limit', 'live', ofDay, month + minutes + days],
  ['a test key', 'test', ofDay, month + minutes],
] as const)('limits of generations count those of %s', async (_, kind, changes, counted) => {
  const { wiring } = wiredWith(changes);
  const caller = { ...aiCaller, kind };
  await wireAi(wiring).serveAi(aiRequest, caller, aContext(caller, wiring.clock.nowMs()));
  expect(asked.findLast((job) => 'execution' in job)?.counted).toHaveLength(counted);
});

test.each([
  [{}, undefined],
  [{ AI_LABEL: 'corner' }, 'corner'],
])(
  'with %j, an AI image has the label %s, and is known by its pick unless it was paid before',
  async (changes, label) => {
    const { wiring } = wiredWith(changes);
    const key = imageKey(`G#live#acc_1#public#${'0'.repeat(64)}`);
    const imageId = imageIdOf(key);
    await acquire(wiring.services, key, '01HF0000000000000000000000');
    await finish(wiring.services, key, '01HF0000000000000000000000', {
      path: libraryPath('public/a/master.png'),
      model: 'm',
      widthPx: 640,
      heightPx: 360,
    });
    const { servePermalink } = wireAi(wiring);
    const context = aContext(aiCaller, wiring.clock.nowMs());
    const rateLimit = { limit: 1, remaining: 1, window: monthWindow(wiring.clock.nowMs()) };
    const payment = freePayment('paid-before', rateLimit);
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
