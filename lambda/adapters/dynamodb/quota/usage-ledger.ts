/** The usage ledger in DynamoDB, as the hot path needs it: small items beside the quota counters, added to in one write. */

import type { UsageLedger } from '../../../ports/usage-ledger';
import { call, type Database, failureOf, onlyIfNotApplied, whateverHappens } from '../call';
import { UpdateCommand } from '../commands';
import { announcedName, keyDayKey, outcomeName, usageExpiryS, usageKey } from './usage-item';

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

    async markAnnounced(owner, label, percent, by) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: { pk: usageKey(owner, label) },
        UpdateExpression: 'SET #mark = :by, #ttl = :ttl',
        // Who has marked it may repeat itself after a lost answer.
        ConditionExpression: 'attribute_not_exists(#mark) OR #mark = :by',
        ExpressionAttributeNames: { '#mark': announcedName(percent), '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':by': by, ':ttl': usageExpiryS(label) },
      });
      try {
        await call(client, command, whateverHappens);
        return true;
      } catch (error) {
        if (failureOf(error) === 'refused') return false;
        throw error;
      }
    },
  };
}
