/** Accounts that a test creates directly in the tables of a running local service. */

import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describeLocal } from '../../cli/local-services';
import { untimed } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/system';
import { defaultPlans, type PlanName } from '../../lambda/contract/plans';
import type { TableName } from '../../lambda/contract/tables';
import type { AccountId } from '../../lambda/credentials/account-id';
import * as keyStore from '../../lambda/credentials/key-store';
import * as manageKeys from '../../lambda/credentials/manage-keys';
import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import { counterKey, quotaOf } from '../../lambda/quota/quota';
import * as usage from '../../lambda/quota/usage/usage';
import { connectDatabase } from '../../local/tables';
import { type Bound, bound } from '../fakes/bound';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { readUntil } from './read-until';

export interface TestAccount {
  readonly key: string;
  readonly account: AccountId;
  /** Units charged to its live quota this month. */
  taken(): Promise<number>;
}

export interface LocalAccounts {
  /** Issues and ends credentials as the operator does. */
  readonly keys: Bound<typeof manageKeys & typeof keyStore>;
  /** Adds to the usage of a day as the image function does. */
  readonly addUsage: (entry: usage.UsageEntry) => Promise<void>;
  /** A new account on a plan that has spent `spent` units of this month already. */
  open(plan: PlanName, spent: number): Promise<TestAccount>;
  /** Resolves once an account holds a unit for a pending generation; rejects after ten seconds. */
  untilHeld(): Promise<void>;
  close(): void;
}

export async function localAccounts(url: string): Promise<LocalAccounts> {
  const { dynamodb, token, ...described } = await describeLocal(url);
  const local = { tables: described.tables as Readonly<Record<TableName, string>> };
  const database = connectDatabase(dynamodb, token);
  const db = database.client;
  const services = {
    ...untimed(database),
    tables: local.tables,
    ids: systemIds,
    readPrincipal: async () => 'a test',
  };
  const keys = bound(services, { ...manageKeys, ...keyStore });
  const counters = createQuotaCounters(db, local.tables.quotaCounters, createRecordedTelemetry());
  return {
    keys,
    addUsage: (entry) => usage.addUsage(services, entry),
    async open(plan, spent) {
      const { key, record } = await keys.issueKey({ mode: 'live', plan, name: 'test' });
      const quota = quotaOf({ ...record, kind: 'live' }, '', defaultPlans, Date.now());
      const Item = { pk: counterKey(quota), taken: spent, spent, held: 0 };
      await db.send(new PutCommand({ TableName: local.tables.quotaCounters, Item }));
      return { key, account: record.account, taken: () => counters.taken(quota) };
    },
    async untilHeld() {
      const held = new ScanCommand({
        TableName: local.tables.quotaCounters,
        FilterExpression: 'held > :zero',
        ExpressionAttributeValues: { ':zero': 0 },
      });
      const count = await readUntil(async () => (await db.send(held)).Count ?? 0, Boolean, {
        withinMs: 10_000,
      });
      if (count === 0) throw new Error('No account came to hold a unit');
    },
    close: () => db.destroy(),
  };
}
