/** Tests `providers` from the outside: its findings, its output and its exit codes. */

import { startFakeProviders } from '../../../local/fake-providers/fake-providers';
import { startFixture } from '../../fakes/fixture';
import { listenOnLoopback } from '../../fakes/loopback';
import { startLocalFixture } from '../local-fixture';

const keyedBindings = { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'pixabay' };
const keys = { unsplash: 'key-of-unsplash', pexels: 'key-of-pexels', pixabay: 'key-of-pixabay' };

interface Slots {
  readonly slots: readonly Readonly<Record<string, unknown>>[];
}

const fixture = startFixture(startLocalFixture);
const fakeProviders = startFixture(() =>
  startFakeProviders(['unsplash', 'pexels', 'pixabay', 'openverse', 'wikimedia']),
);

// A check counts in one minute and reads the rest in the next one, if the real minute ends between them.
beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 21, 12, 30)));

const run = (...args: string[]) => fixture.run('providers', ...args);
/** Configures the service, and its keys by provider. */
const configure = (configuration: object, secret: object | string = {}) =>
  fixture.configure(
    { PROVIDER_ENDPOINTS: fakeProviders.endpoints, PROVIDER_SECRET_ID: 'the-secret', ...configuration },
    typeof secret === 'string' ? secret : JSON.stringify(secret),
  );

const readRequests = async (name: string) => {
  const { requests } = (await (await fetch(`${fakeProviders.endpoints[name]}/_requests`)).json()) as {
    requests: readonly {
      readonly userAgent: string;
      readonly parameters: Readonly<Record<string, string>>;
    }[];
  };
  return requests;
};
const countSearches = async (name: string) => (await readRequests(name)).length;

test('providers --json shows slot, key, check and budget of each provider', async () => {
  configure({ SLOT_BINDINGS: keyedBindings, PROVIDER_QUOTAS: { unsplash: { perHour: 5_000 } } }, keys);
  const searchesBefore = await countSearches('unsplash');
  const { exitCode, stdout, json, stderr } = await run('--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  const { slots } = json<Slots>();
  expect(slots).toMatchObject([
    { slot: 'stock_a', provider: 'unsplash', key: 'set', check: { outcome: 'works' }, serves: true },
    { slot: 'stock_b', provider: 'pexels', key: 'set', check: { outcome: 'works' }, serves: true },
    { slot: 'stock_c', provider: 'pixabay', key: 'set', check: { outcome: 'works' }, serves: true },
  ]);
  const resetsAt = expect.stringMatching(/T\d\d:00:00\.000Z$/);
  expect(slots[0]).toMatchObject({ budget: [{ window: 'hour', limit: 4_500, left: 4_499, resetsAt }] });
  expect(slots[1]).toMatchObject({
    budget: [
      { limit: 180, left: 179 },
      { window: 'day', left: 580, resetsAt: expect.stringMatching(/T00:00:00\.000Z$/) },
    ],
  });
  expect(await countSearches('unsplash')).toBe(searchesBefore + 1);
  expect(stdout).not.toContain('key-of');
});

test('providers prints a table for people', async () => {
  configure({ SLOT_BINDINGS: { ...keyedBindings, stock_b: 'openverse', stock_c: 'sandbox' } }, keys);
  const { exitCode, stdout } = await run();
  expect(exitCode).toBe(0);
  const text = stdout.replaceAll(/\s+/g, ' ').replaceAll(/\d+ ms/g, '7 ms');
  expect(text).toMatch(/^Stock providers of http\S+ SLOT PROVIDER KEY CHECK LEFT stock_a /);
  expect(text).toMatch(/ stock_a unsplash \(127\.0\.0\.1:\d+\) set works, 7 ms \d+ of 45 this hour /);
  expect(text).toMatch(
    / stock_b openverse \(127\.0\.0\.1:\d+\) not needed works, 7 ms 17 of 18 this minute, \d+ of 180 today /,
  );
  expect(text).toMatch(/ stock_c sandbox not needed works, 7 ms no limit $/);
});

test('providers says what to do about a missing or refused key', async () => {
  configure({ SLOT_BINDINGS: keyedBindings }, { unsplash: 'bad-key', pixabay: 'bad-key' });
  const { exitCode, stdout, stderr } = await run();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/unsplash .* set +unauthorized/);
  expect(stdout).toMatch(/pexels .* missing +not asked/);
  expect(stdout).toMatch(/pixabay .* set +unauthorized/);
  expect(stderr).toContain('stock_a: unsplash refuses its key. Set UNSPLASH_KEY in .env');
  expect(stderr).toContain('stock_b: pexels needs a key. Set PEXELS_KEY in .env');
  expect(stdout + stderr).not.toContain('bad-key');
});

test('providers reports a secret that is no JSON without its content', async () => {
  configure({ SLOT_BINDINGS: keyedBindings }, 'unsplash=my-secret-key');
  const { exitCode, stdout, stderr } = await run();
  expect([exitCode, stdout.match(/unreadable/g)?.length]).toEqual([1, 3]);
  expect(stdout + stderr).not.toContain('my-secret-key');
});

test('providers asks a provider of several slots once with new words', async () => {
  configure({ SLOT_BINDINGS: { stock_a: 'pexels', stock_b: 'pexels', stock_c: 'pexels' } }, keys);
  const searchesBefore = await countSearches('pexels');
  for (let look = 0; look < 2; look++) await run('--json');
  const words = (await readRequests('pexels'))
    .slice(searchesBefore)
    .map(({ parameters }) => parameters['query']);
  expect([words.length, new Set(words).size]).toEqual([2, 2]);
});

test.each<[number, string, object]>([
  [400, '{}', { check: { outcome: 'works', images: 0 }, serves: true }],
  [200, '<html>', { check: { outcome: 'failed', kind: 'malformed' }, serves: false }],
  [401, '{}', { check: { outcome: 'failed', kind: 'unauthorized' }, serves: false }],
  [500, '{}', { check: { outcome: 'failed', kind: 'unavailable' }, serves: false }],
  [429, '{}', { check: { outcome: 'failed', kind: 'throttled', retryAfterS: 30 }, serves: false }],
])('providers judges a provider by its response: %d %s', async (status, body, slotView) => {
  const provider = await listenOnLoopback((_, response) => {
    response.writeHead(status, { 'Retry-After': '30' }).end(body);
  });
  const SLOT_BINDINGS = { stock_a: 'pexels', stock_b: 'sandbox', stock_c: 'sandbox' };
  configure({ SLOT_BINDINGS, PROVIDER_ENDPOINTS: { pexels: provider.address } }, keys);
  const { json } = await run('--json');
  await provider.stop();
  expect(json<Slots>().slots[0]).toMatchObject(slotView);
});

test.each([
  [401, 'openverse', /^stock_a: openverse refuses this network.*CONTACT/m, ' unauthorized '],
  [429, 'pexels', /^$/, ' throttled for 30 s '],
])('providers gives advice about the response %d of %s', async (status, name, advice, checkText) => {
  const provider = await listenOnLoopback((_, response) => {
    response.writeHead(status, { 'Retry-After': '30' }).end('{}');
  });
  const SLOT_BINDINGS = { stock_a: name, stock_b: 'sandbox', stock_c: 'sandbox' };
  configure({ SLOT_BINDINGS, PROVIDER_ENDPOINTS: { [name]: provider.address } }, keys);
  const { stdout, stderr } = await run();
  await provider.stop();
  expect(stderr.trim()).toMatch(advice);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(checkText);
});

test('providers asks no provider whose budget is used up', async () => {
  const SLOT_BINDINGS = { stock_a: 'wikimedia', stock_b: 'sandbox', stock_c: 'wikimedia' };
  configure({ SLOT_BINDINGS, PROVIDER_QUOTAS: { wikimedia: { perDay: 1 } } });
  await run('--json');
  const searchesBefore = await countSearches('wikimedia');
  const { exitCode, stdout, stderr } = await run();
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/stock_a +wikimedia .* not asked +0 of 1 today/);
  expect(stderr).toMatch(/budget of wikimedia for the day is used up until \S+Z/);
  expect(await countSearches('wikimedia')).toBe(searchesBefore);
});

test.each<[string, object, () => string]>([
  ['the configured one', { CONTACT: 'ops@example.org' }, () => 'ops@example.org'],
  ['the URL of the service by default', {}, () => fixture.url],
])('providers names a contact to the provider: %s', async (_, contact, getContact) => {
  configure({ SLOT_BINDINGS: { stock_a: 'wikimedia', stock_b: 'sandbox', stock_c: 'sandbox' }, ...contact });
  await run();
  expect((await readRequests('wikimedia')).at(-1)?.userAgent).toContain(getContact());
});
