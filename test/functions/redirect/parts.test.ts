/** The parts of the image function as they are wired: what its settings change in each. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../lambda/base/system';
import { dayWindow } from '../../../lambda/base/window';
import { tableVariables, variables } from '../../../lambda/contract/environment';
import { readConfig } from '../../../lambda/functions/config';
import { wireAnnouncing } from '../../../lambda/functions/redirect/announce-main';
import { wirePicks } from '../../../lambda/functions/redirect/picks-main';
import { settings } from '../../../lambda/functions/redirect/settings';
import { wireStock } from '../../../lambda/functions/redirect/stock-main';
import { wireTestValues } from '../../../lambda/functions/redirect/test-main';
import type { SecretsWiring, Wiring } from '../../../lambda/functions/redirect/wiring';
import { createPickedImages } from '../../../lambda/images/picked-images';
import { createImageLibrary } from '../../../lambda/images/s3/open-library';
import { createCachedImages } from '../../../lambda/stock/cached-images';
import { createCurate, createCurations } from '../../../lambda/stock/curation';
import { createManagePhotos } from '../../../lambda/stock/library/manage-photos';
import { aiCaller } from '../../fakes/ai';
import { reachAwsAt } from '../../fakes/aws-environment';
import { createFakeIds } from '../../fakes/ids';
import { createFakeItemStore } from '../../fakes/item-store';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { tablesInMemory } from '../../fakes/observed';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { aSearchCaller } from '../../fakes/search-caller';
import { request } from '../../fakes/stock';

let folder: string;
let aws: Loopback;
let leaveAws: () => void;
let asked: { readonly Entries?: readonly { readonly EventBusName: string }[] }[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parts-'));
  asked = [];
  aws = await listenOnLoopback(async (incoming, response) => {
    asked.push(JSON.parse(Buffer.concat(await incoming.toArray()).toString()));
    const isEvent = incoming.headers['x-amz-target'] === 'AWSEvents.PutEvents';
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
      [variables.imageBaseUrl]: 'https://images.example.org',
      [variables.imageStore]: pathToFileURL(folder).href,
      [variables.slotBindings]: '{"stock_a":"sandbox","stock_b":"openverse","stock_c":"sandbox"}',
      ...changes,
    },
    settings,
  );
  const stockMemory = createFakeItemStore(clock);
  const curations = createCurations(stockMemory, clock);
  const wiring = {
    ...{ config, clock, ids, telemetry, stockMemory, curations },
    pickedImages: createPickedImages({ stockMemory, clock, telemetry }),
    cache: createFakeItemStore(clock),
    curate: createCurate(curations, () => Promise.reject(new Error('Nothing is decided')), telemetry),
    ledger: { status: async () => undefined },
    delivery: { publicUrl: (path: string) => `https://images.example.org/${path}` },
    noteUse: async () => undefined,
    readSecret: async () => '{}',
  };
  return wiring as unknown as Wiring & SecretsWiring & Pick<typeof wiring, 'telemetry'>;
}

test.each([
  ['put on the bus that is named', { EVENT_BUS: 'billing' }, ['billing'], []],
  ['in the log where none is', {}, [], ['A generation ceiling threshold was reached']],
])('an announcement is %s', async (_, changes, buses, logged) => {
  const { telemetry, ...wiring } = wiredWith(changes);
  const announce = wireAnnouncing({ ...wiring, telemetry }, tablesInMemory().db);
  const window = dayWindow(wiring.clock.nowMs());
  const counter = { kind: 'fair-use', use: 'generations', owner: 'all' } as const;
  await announce({ counter, window, limit: 10 } as never, 8);
  expect(asked.flatMap(({ Entries = [] }) => Entries.map(({ EventBusName }) => EventBusName))).toEqual(buses);
  expect(telemetry.infos.map(({ message }) => message)).toEqual(logged);
});

test.each([
  ['comes first', {}, '© Acme'],
  ['comes first where that is on', { LIBRARY_FIRST: 'on' }, '© Acme'],
  [
    'does not come first where that is off',
    { LIBRARY_FIRST: 'off' },
    expect.stringMatching(/^Drawn by the service/),
  ],
])('a photograph of the library that fits exactly %s', async (_, changes, creditLine) => {
  const wiring = wiredWith(changes);
  const manage = createManagePhotos({ ...wiring, library: createImageLibrary(wiring.config.IMAGE_STORE) });
  const photo = { file: 'a.jpg', title: 'Mountain lake', keywords: [], copyright: '© Acme', sha256: 'a' };
  const stored = { ...photo, width: 1_600, height: 1_000, bytes: Buffer.from('a'), mediaType: 'image/jpeg' };
  await manage.add(
    (async function* () {
      yield stored as never;
    })(),
    null,
  );
  const { SLOT_BINDINGS: bindings, IMAGE_DELIVERY: imageDelivery } = wiring.config;
  const cachedImages = createCachedImages({ ...wiring, bindings, imageDelivery });
  const { find } = wireStock(wiring, cachedImages, () => 'ops@example.org');
  const curated = await wiring.curate.current(request('mountain lake'), undefined);
  expect(await find(curated, 'webp', wiring.clock.nowMs() + 20_000, aSearchCaller)).toMatchObject({
    image: { attribution: { creditLine } },
  });
});

test('what an account decides is in the log of changes, with the key that decided it', async () => {
  const { recordChange } = wirePicks(wiredWith(), undefined as never, {} as never);
  await recordChange(aiCaller, { action: 'choose-image' } as never);
  const [name = ''] = readdirSync(join(folder, 'log'));
  expect(JSON.parse(readFileSync(join(folder, 'log', name), 'utf8'))).toMatchObject({
    principal: aiCaller.keyId,
    action: 'choose-image',
  });
});

test.each([
  ['stock_a', true],
  ['stock_b', false],
  ['stock_c', true],
] as const)(
  'without a key, a test value of %s is answered as one, where the sandbox is: %s',
  async (slot, is) => {
    const answer = wireTestValues(wiredWith(), undefined as never);
    const asking = request('test:none', { provider: slot });
    const answered = await answer(asking, { kind: 'anonymous' }, {} as never);
    expect(answered !== undefined).toBe(is);
  },
);
