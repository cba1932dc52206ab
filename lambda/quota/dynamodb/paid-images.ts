/** The marks of paid images in DynamoDB: one item per account, image and day beside the quota counters. */

import type { Item } from '../../aws/dynamodb';
import type { Database } from '../../aws/dynamodb/call';
import { readItem, writeIf } from '../../aws/dynamodb/items';
import type { PaidImage, PaidImages, PaidMark } from '../paid-images';

/** How long a mark outlives its day, in seconds: requests that began before midnight still find it. */
const keptForS = 86_400;

/** @param tableName of the quota counters, beside which the marks stand */
export function createPaidImages(db: Database, tableName: string): PaidImages {
  const keyed = ({ key }: PaidImage) => ({ TableName: tableName, Key: { pk: key } });
  // A copy of the same write that arrives after the mark was released can only leave a mark without a holder: it counts
  // as paid once it is abandoned, which costs the account nothing.
  const heldBy = (holder: string) => ({
    ConditionExpression: 's = :pending AND #by = :me',
    ExpressionAttributeNames: { '#by': 'by' },
    ExpressionAttributeValues: { ':pending': 'P', ':me': holder },
  });

  return {
    async read(image) {
      return markIn(await readItem(db, tableName, { pk: image.key }));
    },

    async begin(image, holder, endsMs) {
      const result = await writeIf(db, {
        ...keyed(image),
        UpdateExpression: 'SET s = :pending, #by = :me, endsMs = :ends, #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(s) OR (s = :pending AND #by = :me)',
        ExpressionAttributeNames: { '#by': 'by', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':pending': 'P',
          ':me': holder,
          ':ends': endsMs,
          ':ttl': ttlOf(image),
        },
      });
      return result.applied ? 'begun' : markIn(result.item);
    },

    async mark(image) {
      await writeIf(db, {
        ...keyed(image),
        UpdateExpression: 'SET s = :paid, #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(s)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':paid': 'C', ':ttl': ttlOf(image) },
      });
    },

    async settle(image, holder) {
      const { ExpressionAttributeValues, ...condition } = heldBy(holder);
      const result = await writeIf(db, {
        ...keyed(image),
        ...condition,
        // The holder stays, so that a repeated write is recognised.
        UpdateExpression: 'SET s = :paid',
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':paid': 'C' },
      });
      return result.applied || (result.item?.['s'] === 'C' && result.item['by'] === holder);
    },

    async release(image, holder) {
      const result = await writeIf(db, {
        ...keyed(image),
        ...heldBy(holder),
        UpdateExpression: 'REMOVE s, #by, endsMs',
      });
      return !result.applied && markIn(result.item).state === 'paid';
    },
  };
}

function ttlOf({ day }: PaidImage): number {
  return Math.ceil(day.endMs / 1_000) + keptForS;
}

/** `s` is `P` while it is pending and `C` once it is paid. */
export function markIn(item: Item | undefined): PaidMark {
  if (item?.['s'] === 'C') return { state: 'paid' };
  if (item?.['s'] !== 'P') return { state: 'absent' };
  return { state: 'pending', holder: String(item['by']), endsMs: Number(item['endsMs']) };
}
