/** Demo keys survive a restart, and a damaged file of them is refused in one line. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untimed } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/system';
import { hashApiKey } from '../../lambda/credentials/api-key';
import type { KeyRecord } from '../../lambda/credentials/api-keys';
import { findKey } from '../../lambda/credentials/key-store';
import { revokeKey } from '../../lambda/credentials/manage-keys';
import { issueDemoKeys } from '../../local/demo-keys';
import { type Engine, startEngine } from '../contracts/dynamodb-engine';

let engine: Engine;
let folder: string;
beforeAll(async () => {
  engine = await startEngine();
  folder = mkdtempSync(join(tmpdir(), 'demo-keys-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await engine.stop();
});

const servicesOf = () => ({
  ...untimed(engine.database),
  tables: engine.tableNames,
  ids: systemIds,
  readPrincipal: async () => 'a test',
});
const issue = () => issueDemoKeys(engine.database, engine.tableNames.apiKeys, folder);

it('are a live and a test key of one account a plan', async () => {
  const { keys, accounts } = await issue();
  const services = servicesOf();
  const recordOf = (key: string) => findKey(services, hashApiKey(key));
  for (const [plan, { live, test }] of Object.entries(keys)) {
    const account = accounts[plan as keyof typeof accounts];
    expect(await recordOf(live)).toMatchObject({ plan, mode: 'live', account });
    expect(await recordOf(test)).toMatchObject({ plan, mode: 'test', account });
  }
  expect(new Set(Object.values(accounts)).size).toBe(4);
});

it('are the same after a restart', async () => {
  expect(await issue()).toEqual(await issue());
});

it.each([
  ['empty', () => ''],
  ['cut off', (whole: string) => whole.slice(0, whole.length / 2)],
  ['without a key', () => '{}'],
  ['without a test key', () => '{"free":{"live":"pk_live_x"}}'],
])('are refused when the file is %s, without a key in the words', async (_, damage) => {
  const keys = await issue();
  const file = join(folder, 'demo-keys.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, damage(whole));
  await expect(issue()).rejects.toThrow(/^\S+demo-keys\.json is damaged\. Restore it.*new demo keys\.$/);
  writeFileSync(file, whole);
  expect(await issue()).toEqual(keys);
});

it('are issued anew where one of them is revoked', async () => {
  const { keys } = await issue();
  const services = servicesOf();
  const record = await findKey(services, hashApiKey(keys.pro.test));
  await revokeKey(services, record as KeyRecord);
  const renewed = await issue();
  expect(renewed.keys.pro.test).not.toBe(keys.pro.test);
  expect(await issue()).toEqual(renewed);
});
