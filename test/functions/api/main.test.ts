/** The function `api` as it starts from its environment: what each of its settings changes for a caller. */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { apiSettings as settings } from '../../../lambda/services/settings';
import { startFunction, startSurroundings } from '../started';
import { type EventOptions, liveContext, makeProxyEvent } from './proxy-event';

const around = startSurroundings();

/** Every slot has a provider other than the sandbox. */
const makeBindings = () => ({
  SLOT_BINDINGS: '{"stock_a":"openverse","stock_b":"openverse","stock_c":"openverse"}',
  PROVIDER_ENDPOINTS: JSON.stringify({ openverse: around.address }),
});

/** The headers that a new instance answers requests for the same image with. */
async function startWith(changes: Readonly<Record<string, string>>) {
  const ask = await startFunction(() => import('../../../lambda/functions/api/main'), settings, changes);
  return async (options: EventOptions = {}) =>
    (await ask(makeProxyEvent({ query: { query: ['lake'] }, receivedMs: Date.now(), ...options }))).headers ??
    {};
}

test.each([
  ['no settings', {}, 'anonymous', '10'],
  ['ANONYMOUS_LIMIT', { ANONYMOUS_LIMIT: '{"max":7}' }, 'anonymous', '7'],
  ['PLANS', { PLANS: '{"free":{"monthlyRequests":2345}}' }, 'live', '2345'],
])('with %s, a caller has its limit', async (_, changes, caller, limit) => {
  const context = caller === 'live' ? { ...liveContext, account: 'acc_plans' } : { caller };
  expect((await (await startWith(changes))({ context }))['X-RateLimit-Limit']).toBe(limit);
});

test.each([
  ['CONTACT', { CONTACT: 'ops@example.org' }, 'ops@example.org'],
  ['the root URL, if there is no CONTACT', {}, 'https://api.example.org/prod'],
])('the contact that providers get is %s', async (_, changes, contact) => {
  const ask = await startWith({ ...makeBindings(), ...changes });
  await ask({ query: { query: [contact] } });
  expect(around.agents.at(-1)).toContain(`(${contact})`);
});

test('an image that another instance has found is known, unless its slots have other providers', async () => {
  const query = { query: ['hill'] };
  const ask = async (changes: Readonly<Record<string, string>>) =>
    (await (await startWith(changes))({ query }))['X-Cache'];
  expect([await ask({}), await ask({}), await ask(makeBindings())]).toEqual(['MISS', 'HIT', undefined]);
});

test('an answer that was stored for another delivery of images is not served', async () => {
  const query = { query: ['delivered hill'] };
  const countAnswers = async (IMAGE_DELIVERY: string) => {
    await (await startWith({ IMAGE_DELIVERY }))({ query });
    const { client, tableNames } = around.engine;
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableNames.cache }));
    return Items.filter(({ pk }) => String(pk).startsWith('ANSWER#')).length;
  };
  const count = await countAnswers('provider');
  expect([await countAnswers('provider'), await countAnswers('own')]).toEqual([count, count + 1]);
});

test('a share of a quota that is used is announced by the request that has used it', async () => {
  const written = process.stderr.write as jest.MockedFunction<typeof process.stderr.write>;
  const ask = await startWith({ PLANS: '{"free":{"monthlyRequests":5}}' });
  const listAnnounced = () =>
    written.mock.calls.filter(([line]) => String(line).includes('Usage threshold reached')).length;
  const context = { ...liveContext, account: 'acc_announced' };
  const after: number[] = [];
  for (let i = 0; i < 5; i++) {
    await ask({ context });
    after.push(listAnnounced());
  }
  expect(after).toEqual([0, 0, 0, 1, 2]);
});
