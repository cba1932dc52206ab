/** Accounts that a test creates directly in the tables of a running local service. */

import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { readLocalDescription } from '../../cli/local-services';
import { createToolServices } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/ids';
import { defaultPlans, type PlanName } from '../../lambda/contract/plans';
import type { TableName } from '../../lambda/contract/tables';
import * as keyStore from '../../lambda/credentials/key-store';
import * as manageKeys from '../../lambda/credentials/manage-keys';
import { getQuotaLimit, listRequestLimits } from '../../lambda/quota/caller-limits';
import { makeCounterKey } from '../../lambda/quota/limit';
import { readUsedUnits } from '../../lambda/quota/take';
import { connectDatabase } from '../../local/tables';
import { bindServices } from '../fakes/bound';
import { readUntil } from './read-until';

export async function connectLocalAccounts(url: string) {
  const { dynamodb, token, ...described } = await readLocalDescription(url);
  const local = { tables: described.tables as Readonly<Record<TableName, string>> };
  const database = connectDatabase(dynamodb, token);
  const db = database.client;
  const services = {
    ...createToolServices(database),
    tables: local.tables,
    ids: systemIds,
    readPrincipal: async () => 'a test',
  };
  const keys = bindServices(services, { ...manageKeys, ...keyStore });
  return {
    /** Issues and ends credentials as the operator does. */
    keys,
    /** A new account on a plan that has spent `spent` units of this month already. */
    async open(plan: PlanName, spent: number) {
      const { secret, key } = await keys.issueKey({ mode: 'live', plan, name: 'test' });
      const caller = { ...key, kind: 'live' } as const;
      const quota = getQuotaLimit(listRequestLimits(caller, '', defaultPlans, Date.now()));
      const Item = { pk: makeCounterKey(quota), used: spent };
      await db.send(new PutCommand({ TableName: local.tables.quotaCounters, Item }));
      return {
        key: secret,
        keyId: key.keyId,
        account: key.account,
        /** Units charged to its live quota this month. */
        readTaken: () => readUsedUnits(services, quota),
      };
    },
    /** Resolves once an image is being made; rejects after ten seconds. */
    async awaitMaking() {
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
