/** Accounts that a test creates directly in the tables of a running local service. */

import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describeLocal } from '../../cli/local-services';
import { toolServices } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/system';
import { defaultPlans, type PlanName } from '../../lambda/contract/plans';
import type { TableName } from '../../lambda/contract/tables';
import type { AccountId } from '../../lambda/credentials/caller';
import * as keyStore from '../../lambda/credentials/key-store';
import * as manageKeys from '../../lambda/credentials/manage-keys';
import { requestLimitsOf, workLimitsOf } from '../../lambda/quota/caller-limits';
import { quotaLimitOf } from '../../lambda/quota/charge';
import { counterKey, type Limit } from '../../lambda/quota/limit';
import { usedOf } from '../../lambda/quota/take';
import { connectDatabase } from '../../local/tables';
import { type Bound, bound } from '../fakes/bound';
import { readUntil } from './read-until';

export interface TestAccount {
  readonly key: string;
  readonly keyId: string;
  readonly account: AccountId;
  /** Units charged to its live quota this month. */
  taken(): Promise<number>;
  /** Has its work of this hour be `units` already. */
  spendWork(units: number): Promise<void>;
}

export interface LocalAccounts {
  /** Issues and ends credentials as the operator does. */
  readonly keys: Bound<typeof manageKeys & typeof keyStore>;
  /** A new account on a plan that has spent `spent` units of this month already. */
  open(plan: PlanName, spent: number): Promise<TestAccount>;
  /** Resolves once an image is being made; rejects after ten seconds. */
  untilMaking(): Promise<void>;
  close(): void;
}

export async function localAccounts(url: string): Promise<LocalAccounts> {
  const { dynamodb, token, ...described } = await describeLocal(url);
  const local = { tables: described.tables as Readonly<Record<TableName, string>> };
  const database = connectDatabase(dynamodb, token);
  const db = database.client;
  const services = {
    ...toolServices(database),
    tables: local.tables,
    ids: systemIds,
    readPrincipal: async () => 'a test',
  };
  const keys = bound(services, { ...manageKeys, ...keyStore });
  return {
    keys,
    async open(plan, spent) {
      const { key, record } = await keys.issueKey({ mode: 'live', plan, name: 'test' });
      const caller = { ...record, kind: 'live' } as const;
      const quota = quotaLimitOf(requestLimitsOf(caller, '', defaultPlans, Date.now()));
      const spend = async (limit: Limit, used: number): Promise<void> => {
        const Item = { pk: counterKey(limit), used };
        await db.send(new PutCommand({ TableName: local.tables.quotaCounters, Item }));
      };
      await spend(quota, spent);
      return {
        key,
        keyId: record.keyId,
        account: record.account,
        taken: () => usedOf(services, quota),
        async spendWork(units) {
          for (const limit of workLimitsOf(caller, '', Date.now())) await spend(limit, units);
        },
      };
    },
    async untilMaking() {
      const making = new ScanCommand({
        TableName: local.tables.generationIndex,
        FilterExpression: '#state = :making',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':making': 'making' },
      });
      const count = await readUntil(async () => (await db.send(making)).Count ?? 0, Boolean, {
        withinMs: 10_000,
      });
      if (count === 0) throw new Error('No image came to be made');
    },
    close: () => db.destroy(),
  };
}
