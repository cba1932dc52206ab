/** An account's usage, exact to the unit, as the account and its operator read it. */

import { lastMonths } from '../../lambda/quota/usage/report-usage';
import { fixtureOf } from '../fakes/fixture';
import { startOperation, withinOneHour } from './keys/operation';

jest.setTimeout(180_000);

const operation = fixtureOf(startOperation);

/** Asks for images in turn, by their paths, and holds how each is answered. */
async function askFor(key: string, ...wanted: readonly (readonly [path: string, status: number])[]) {
  for (const [path, status] of wanted)
    expect([path, (await operation.get(key, path)).status]).toEqual([path, status]);
}
const image = '/api/image/320x200-usage-of-an-account';

test('the usage of a business account is stated by day, source and key, and over 13 months', () =>
  withinOneHour(async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { key, keyId, account } = await operation.keys(
      'create',
      '--plan',
      'business',
      '--name',
      'web site',
    );
    const other = await operation.keys('create', '--account', account, '--name', 'app');
    await askFor(other.key, [image, 302]);
    await askFor(
      key,
      [image, 302],
      [image, 302],
      ['/api/image?query=usage+of+an+account&width=320&height=200&provider=stock_b', 302],
      [`${image}?provider=ai`, 302],
      [`${image}?provider=ai`, 302],
    );
    // None of these is charged.
    await askFor(key, [`${image}?provider=ai&variation=1`, 302], ['/api/image/99x99-small', 400]);
    const usage = await operation.usageOf(key);
    expect(usage).toMatchObject({ plan: 'business', limit: 500_000, used: 6, remaining: 499_994 });
    const byKey = [
      { keyId, name: 'web site', requests: 5, free: 1 },
      { keyId: other.keyId, name: 'app', requests: 1, free: 0 },
    ];
    // What was used is what days, sources and keys have paid; the free variation stands apart.
    const sums = { requests: 6, free: 1, bySource: { stock_a: 3, stock_b: 1, ai: 2 } };
    expect(usage).toMatchObject({
      breakdown: { month: today.slice(0, 7), ...sums, byDay: [{ date: today, ...sums }], byKey },
    });
    const history = usage['history'] as readonly { readonly month: string; readonly requests: number }[];
    expect(history.map((each) => each.month)).toEqual(lastMonths(Date.now(), 13));
    expect(history.map(({ requests }) => requests)).toEqual([...Array(12).fill(0), 6]);
    expect(history.at(-1)).toMatchObject({ byKey });
    expect(await operation.keys<object>('usage', account)).toEqual(usage);
    const { keys } = JSON.parse((await operation.get(key, '/api/keys')).body);
    // The second is the signer of the account, which has signed nothing.
    expect(keys).toMatchObject([{ lastUsedOn: today }, { lastUsedOn: null }, { lastUsedOn: today }]);
  }));

test('the usage of a test key is its hour alone, and the quota stays whole', () =>
  withinOneHour(async () => {
    const live = await operation.keys('create', '--plan', 'business', '--name', 'live');
    const { key } = await operation.keys('create', '--account', live.account, '--test', '--name', 'staging');
    await askFor(key, [image, 302], [image, 302], [image, 302]);
    expect(await operation.usageOf(key)).toMatchObject({ mode: 'test', limit: 100, used: 3, remaining: 97 });
    expect(await operation.usageOf(live.key)).toMatchObject({ mode: 'live', used: 0 });
  }));
