/** The usage ledger in DynamoDB, as the hot path needs it: small items beside the quota counters, added to in one write. */

import type { UsageLedger } from '../../../ports/usage-ledger';
import { call, type Database, onlyIfNotApplied } from '../call';
import { UpdateCommand } from '../commands';
import { keyDayKey, outcomeName, usageExpiryS } from './usage-item';

export function createUsageLedger(client: Database, tableName: string): UsageLedger {
  return {
    async record({ account, keyId, day, counts }) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: keyDayKey(account, day, keyId) },
        // Both index keys are the same in every write, so only the first one of a day costs the index anything.
        UpdateExpression: `ADD ${counts.map((_, i) => `#n${i} :n${i}`).join(', ')} SET usedBy = :account, usedOn = :day, #ttl = :ttl`,
        ExpressionAttributeNames: {
          '#ttl': 'ttl',
          ...Object.fromEntries(counts.map((count, i) => [`#n${i}`, outcomeName(count)])),
        },
        ExpressionAttributeValues: {
          ':account': account,
          ':day': day,
          ':ttl': usageExpiryS(day),
          ...Object.fromEntries(counts.map(({ requests }, i) => [`:n${i}`, requests])),
        },
      });
      await call(client, command, onlyIfNotApplied);
    },
  };
}
