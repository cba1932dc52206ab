/** A store of items in DynamoDB, for the stock memory and the cache: one item per key, which holds the value, its freshness and the lease on it. */

import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { callFailureOf } from '../../aws/errors';
import type { Clock } from '../../base/clock';
import type { ItemStore, LeaseOutcome, Stored } from '../../base/item-store';
import { takeWindows } from '../../quota/dynamodb/take-windows';
import { releaseLease, takeLease } from './leases';

/** How long an item outlives its use, in seconds: an operator who looks for a fault still finds it. */
const keptForS = 3_600;

/** Reads and writes are retried; each call has a deadline. */
export function createItemStore(client: Database, tableName: string, clock: Pick<Clock, 'nowMs'>): ItemStore {
  const keyed = (key: string) => ({ TableName: tableName, Key: { pk: key } });

  const itemOf = async (key: string, isStrong: boolean) => {
    const command = new GetCommand({ ...keyed(key), ConsistentRead: isStrong });
    return (await call(client, command, retryIdempotent)).Item;
  };

  return {
    // Half the price of a strong read; a request that must be sure asks for the lease, which is always decided strongly.
    async read<T>(key: string) {
      return storedIn<T>(await itemOf(key, false), clock.nowMs());
    },

    async readLatest<T>(key: string) {
      return storedIn<T>(await itemOf(key, true), clock.nowMs());
    },

    async write(key, { value, freshUntilMs, staleUntilMs }, holder) {
      // The value is one text: shorter than a map, and much faster to read and write.
      const Item = {
        pk: key,
        value: JSON.stringify(value),
        freshUntilMs,
        staleUntilMs,
        ttl: ttlOf(staleUntilMs),
      };
      const held = holder !== undefined && {
        ConditionExpression: 'leaseHolder = :holder',
        ExpressionAttributeValues: { ':holder': holder },
      };
      try {
        await call(client, new PutCommand({ TableName: tableName, Item, ...held }), retryIdempotent);
      } catch (error) {
        // Refused, it may have been applied by a copy of it before, which has ended the lease.
        if (callFailureOf(error) !== 'conditionFailed') throw error;
        if ((await itemOf(key, true))?.['value'] !== Item.value) throw error;
      }
    },

    async lease<T>(key: string, holder: string, leaseMs: number): Promise<LeaseOutcome<T>> {
      const nowMs = clock.nowMs();
      const endsMs = nowMs + leaseMs;
      if (await takeLease(client, keyed(key), { holder, endsMs, nowMs, ttl: ttlOf(endsMs) }))
        return { outcome: 'leased' };
      // Not every engine returns the old item with the refusal, so it is read.
      const stored = storedIn<T>(await itemOf(key, true), nowMs);
      return stored && stored.freshUntilMs > nowMs ? { outcome: 'fresh', stored } : { outcome: 'busy' };
    },

    async release(key, holder) {
      await releaseLease(client, keyed(key), holder);
    },

    async take(counter, windows, endsMs) {
      return takeWindows(client, tableName, counter, windows, ttlOf(endsMs));
    },

    async counts(counter) {
      const item = (await itemOf(counter, true)) ?? {};
      return Object.fromEntries(
        Object.entries(item).filter(([, value]) => typeof value === 'number'),
      ) as Record<string, number>;
    },
  };
}

function ttlOf(ms: number): number {
  return Math.ceil(ms / 1_000) + keptForS;
}

/** The value in an item, if there is one that may still be used at all. */
function storedIn<T>(item: Record<string, unknown> | undefined, nowMs: number): Stored<T> | undefined {
  const { value, freshUntilMs, staleUntilMs } = (item ?? {}) as { [name: string]: unknown };
  if (typeof value !== 'string' || typeof freshUntilMs !== 'number' || typeof staleUntilMs !== 'number') {
    return undefined;
  }
  if (Math.max(freshUntilMs, staleUntilMs) <= nowMs) return undefined;
  return { value: JSON.parse(value) as T, freshUntilMs, staleUntilMs };
}
