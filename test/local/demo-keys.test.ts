/** Tests that demo keys survive a restart, and are renewed if one is revoked. */

import { createToolServices } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/ids';
import { hashApiKey } from '../../lambda/credentials/api-key';
import { findKey, type StoredKey } from '../../lambda/credentials/key-store';
import { revokeKey } from '../../lambda/credentials/manage-keys';
import { type DemoAccounts, issueDemoKeys } from '../../local/demo-keys';
import { startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';

const engine = startFixture(startEngine);

const makeServices = () => ({
  ...createToolServices(engine.database),
  tables: engine.tableNames,
  ids: systemIds,
  readPrincipal: async () => 'a test',
});
const issue = (earlierAccounts?: DemoAccounts) =>
  issueDemoKeys(engine.database, engine.tableNames.apiKeys, earlierAccounts);

test('the demo keys of the last start stay, one account for each plan', async () => {
  const issued = await issue();
  const { keys, accounts } = issued;
  const findRecord = (key: string) => findKey(makeServices(), hashApiKey(key));
  for (const [plan, { live, test }] of Object.entries(keys)) {
    const account = accounts[plan as keyof typeof accounts];
    expect(await findRecord(live)).toMatchObject({ plan, mode: 'live', account });
    expect(await findRecord(test)).toMatchObject({ plan, mode: 'test', account });
  }
  expect(new Set(Object.values(accounts)).size).toBe(4);
  expect(await issue(issued)).toEqual(issued);
});

test('all demo keys are new if one of the last start was revoked', async () => {
  const issued = await issue();
  const record = await findKey(makeServices(), hashApiKey(issued.keys.pro.test));
  await revokeKey(makeServices(), record as StoredKey);
  expect((await issue(issued)).keys.pro).not.toEqual(issued.keys.pro);
});
