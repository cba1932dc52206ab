/** The commands for picks from the outside: each is about the words, the orientation and the slot that it names. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { SheetView } from '../../lambda/pages/picks';
import type { DecisionPage } from '../../lambda/stock/choose-image';
import { type StartedFakeProviders, startFakeProviders } from '../../local/fake-providers/start';
import { type LocalFixture, startLocalFixture } from './local-fixture';
import { expectRefusal } from './run-tool';

jest.setTimeout(60_000);

let fixture: LocalFixture;
let fakeProviders: StartedFakeProviders;
let account: string;
const picks = (...args: string[]) => fixture.run('picks', ...args);
const bind = (slotA: string, slotB: string, more: object = {}) => {
  const PROVIDER_ENDPOINTS = fakeProviders.endpoints;
  const SLOT_BINDINGS = { stock_a: slotA, stock_b: slotB, stock_c: slotB };
  const secret = '{"pexels":"key-of-pexels"}';
  fixture.configure({ SLOT_BINDINGS, PROVIDER_ENDPOINTS, PROVIDER_SECRET_ID: 'the-secret', ...more }, secret);
};

beforeAll(async () => {
  fixture = await startLocalFixture();
  fakeProviders = await startFakeProviders(['pexels', 'openverse']);
  account = (await fixture.run('keys', 'create', '--json')).json<{ account: string }>().account;
});
beforeEach(() => bind('pexels', 'sandbox'));
afterAll(async () => {
  await fakeProviders.stop();
  await fixture.stop();
});

test('all of them keep to the orientation and the slot, and to the images that are shown for them', async () => {
  const of = ['red barn', '--orientation', 'portrait', '--provider', 'stock_b'];
  const decide = async (name: string, ...args: string[]) =>
    (await picks(name, ...of, '--account', account, ...args, '--json')).json();
  const shown = (await picks('show', ...of, '--json')).json<SheetView>();
  const about = { query: 'red barn', orientation: 'portrait', provider: 'stock_b' };
  expect(shown).toMatchObject(about);
  const [first = '', second, third = ''] = shown.candidates.map(({ pick }) => pick);
  expect(await decide('choose', '--pick', third)).toEqual({ ...about, chosen: third, refused: [] });
  expect(await decide('choose', '--seed', '2')).toEqual({ ...about, chosen: second, refused: [] });
  expect(await decide('refuse', '--seed', '1')).toEqual({ ...about, chosen: second, refused: [first] });
  const refused = [first, third].toSorted();
  expect(await decide('refuse', '--pick', third)).toEqual({ ...about, chosen: second, refused });
  const listed = (await picks('list', '--account', account, '--json')).json<DecisionPage>();
  expect(listed.picks).toMatchObject([{ ...about, chosen: second, refused }]);
  expect(await decide('undo', '--pick', first)).toEqual({ ...about, chosen: second, refused: [third] });
  expect(await decide('undo')).toEqual({ ...about, chosen: null, refused: [] });
});

test('people read which image is chosen or refused, and for which orientations', async () => {
  const of = ['blue boat', '--account', account];
  await picks('choose', ...of, '--seed', '2');
  const { stdout } = await picks('refuse', ...of, '--seed', '3', '--orientation', 'square');
  expect(stdout).toMatch(
    /Query +blue boat\nOrientation +square\nProvider +stock_a\nChosen +\w{20}\nRefused +\w{20}\n/,
  );
  expect((await picks('show', ...of)).stdout).toMatch(/^ *2 +\w{20} .* chosen$/m);
  expect((await picks('show', ...of, '--orientation', 'square')).stdout).toMatch(/^ *3 .* refused$/m);
  await picks('choose', 'green hill', '--account', account, '--seed', '1');
  const listed = (await picks('list', '--account', account)).stdout;
  expect(listed).toMatch(/^blue boat +square +stock_a +\w{20} +\w{20} +\d{4}-\S+$/m);
  expect(listed).not.toContain('More:');
  const last = await picks('list', '--account', account, '--cursor', `${'f'.repeat(16)}3`, '--json');
  expect(last.json()).toMatchObject({ picks: [], next: null });
  expect(listed).toMatch(/^green hill +all +stock_a +\w{20} +\d{4}-\S+$/m);
});

test('the operator’s own limits are those of a provider here too', async () => {
  bind('openverse', 'openverse', { PROVIDER_QUOTAS: { openverse: { perDay: 1 } } });
  expect((await picks('show', 'green field')).exitCode).toBe(0);
  expect(await picks('show', 'grey stone')).toMatchObject({ exitCode: 1, stdout: '' });
});

test('an own photograph comes first where that is configured, and no image from elsewhere where that is', async () => {
  const plain = sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } });
  await plain.jpeg().toFile(join(fixture.folder, 'a.jpg'));
  writeFileSync(join(fixture.folder, 'library.csv'), 'file,title,license\na.jpg,Teal wall,Ours\n');
  expect((await fixture.run('library', 'add', fixture.folder)).exitCode).toBe(0);
  const first = async (settings: object) => {
    bind('pexels', 'pexels', settings);
    return (await picks('show', 'teal wall', '--json')).json<SheetView>().candidates[0];
  };
  expect((await first({}))?.credit).toContain('Ours');
  const others = await first({ LIBRARY_FIRST: 'off' });
  expect(others?.credit).toContain('Pexels');
  expect(others?.thumbnail).toMatch(/^http:/);
  expect((await first({ LIBRARY_FIRST: 'off', IMAGE_DELIVERY: 'own' }))?.thumbnail).toMatch(/^data:image/);
});

const none = '0'.repeat(20);
test.each<[string[], number, string]>([
  [['choose', 'lake'], 2, 'Name one image: --pick or --seed.'],
  [['choose', 'lake', '--pick', none, '--seed', '1'], 2, 'Name one image'],
  [['refuse', 'lake', '--pick', none, '--seed', '1'], 2, 'Name one image'],
  [['refuse', 'lake', '--seed', '99'], 3, 'There is no image 99 for these words.'],
  [['choose', 'lake', '--pick', none], 3, 'There is no such image for this account'],
  [['undo', 'never decided'], 3, 'or nothing was decided.'],
  [['choose', 'lake', '--pick', 'x'], 2, 'pick'],
  [['list', '--cursor', '?'], 2, 'cursor'],
])('%j ends with %d', async (args, code, says) => {
  expectRefusal(await picks(...args, '--account', account), code, says);
});

test('a decision is of an account that there is, and is in the log of changes', async () => {
  expectRefusal(await picks('list', '--account', 'acc_nowhere'), 3, 'acc_nowhere');
  await picks('choose', 'old mill', '--account', account, '--seed', '1');
  const { entries } = (await fixture.run('log', '--since', '1h', '--json')).json<{ entries: object[] }>();
  expect(entries.at(-1)).toMatchObject({ action: expect.stringContaining('pick'), account });
});
