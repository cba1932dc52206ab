/** Demo keys are of one account a plan, survive a restart, and are renewed where one is revoked. */

import { toolServices } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/ids';
import { hashApiKey } from '../../lambda/credentials/api-key';
import { findKey, type KeyRecord } from '../../lambda/credentials/key-store';
import { revokeKey } from '../../lambda/credentials/manage-keys';
import { type DemoKeys, issueDemoKeys } from '../../local/demo-keys';
import { makeState, readState, writeState } from '../../local/state';
import { startEngine } from '../fakes/database';
import { fixtureOf } from '../fakes/fixture';

const engine = fixtureOf(startEngine);

const servicesOf = () => ({
  ...toolServices(engine.database),
  tables: engine.tableNames,
  ids: systemIds,
  readPrincipal: async () => 'a test',
});
const issue = (kept?: DemoKeys) => issueDemoKeys(engine.database, engine.tableNames.apiKeys, kept);

test('each plan has a demo account, whose live and test key are kept', async () => {
  const issued = await issue();
  const { keys, accounts } = issued;
  const recordOf = (key: string) => findKey(servicesOf(), hashApiKey(key));
  for (const [plan, { live, test }] of Object.entries(keys)) {
    const account = accounts[plan as keyof typeof accounts];
    expect(await recordOf(live)).toMatchObject({ plan, mode: 'live', account });
    expect(await recordOf(test)).toMatchObject({ plan, mode: 'test', account });
  }
  expect(new Set(Object.values(accounts)).size).toBe(4);
  expect(await issue(keys)).toEqual(issued);
});

test('demo keys: revoking one replaces both keys of its plan, no other', async () => {
  const { keys } = await issue();
  await revokeKey(servicesOf(), (await findKey(servicesOf(), hashApiKey(keys.pro.test))) as KeyRecord);
  const renewed = await issue(keys);
  expect(renewed.keys.pro.live).not.toBe(keys.pro.live);
  expect(renewed.keys.free).toEqual(keys.free);
});

test('demo keys are kept with the secrets, which are new in a new state', async () => {
  const { client } = engine.database;
  const state = { ...(await makeState()), demoKeys: (await issue()).keys, url: 'http://127.0.0.1:1' };
  await writeState(client, engine.tableNames.quotaCounters, state);
  expect(await readState(client, engine.tableNames.quotaCounters)).toMatchObject(state);
  const other = await makeState();
  for (const name of ['addressSecret', 'signerSecret', 'signingKey', 'contentCredentials'] as const)
    expect(other[name]).not.toBe(state[name]);
});
