/** The generation index in DynamoDB: every step of the protocol is one conditional write. */

import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { QueryCommand } from '../../aws/dynamodb/commands';
import { type Item, readItem, writeIf } from '../../aws/dynamodb/items';
import type { IndexName } from '../../contract/tables';
import type { FailureReason, Generation, Lease, Master } from '../generation';
import type { ImageKey } from '../generation-identity';
import type { GenerationIndex } from '../generation-index';
import * as writes from './generation-writes';

type Index = IndexName<'generationIndex'>;

export function createGenerationIndex(db: Database, tableName: string): GenerationIndex {
  const keyed = (key: ImageKey) => ({ TableName: tableName, Key: { pk: key } });

  const query = async (input: object): Promise<readonly Item[]> => {
    const command = new QueryCommand({ TableName: tableName, ...input });
    return (await call(db, command, retryIdempotent)).Items ?? [];
  };

  const read: GenerationIndex['read'] = async (key) => {
    const item = await readItem(db, tableName, { pk: key });
    return item && generationIn(item);
  };

  return {
    read,

    async acquire(acquisition) {
      const { key, execution } = acquisition;
      const result = await writeIf(db, { ...keyed(key), ...writes.acquireWrite(acquisition) });
      const item = (result.applied ? result.attributes : result.item) as GenerationAttributes | undefined;
      if (!item) throw new Error('The generation vanished while it was acquired');
      if (item.st === 'LEASED' && item.ex === execution)
        return { outcome: 'leased', lease: { key, execution, fence: item.f } };
      return { outcome: 'taken', generation: generationIn(item as unknown as Item) };
    },

    async claim(lease, run) {
      const result = await writeIf(db, { ...keyed(lease.key), ...writes.claimWrite(lease, run) });
      return result.applied ? generationIn(result.attributes) : undefined;
    },

    async finalize(lease, finished) {
      const result = await writeIf(db, { ...keyed(lease.key), ...writes.finalizeWrite(lease, finished) });
      return result.applied || isReadyBy(result.item, lease) ? 'ready' : 'fenced';
    },

    async markSettled(lease) {
      return (await writeIf(db, { ...keyed(lease.key), ...writes.markSettledWrite(lease) })).applied;
    },

    async fail(lease, failed) {
      const result = await writeIf(db, { ...keyed(lease.key), ...writes.failWrite(lease, failed) });
      if (result.applied) return 'failed';
      if (isReadyBy(result.item, lease)) return 'ready';
      const { st, ex, f } = (result.item ?? {}) as Partial<GenerationAttributes>;
      return st === 'FAILED' && ex === lease.execution && f === lease.fence ? 'failed' : 'fenced';
    },

    async release(lease) {
      await writeIf(db, { ...keyed(lease.key), ...writes.endLeaseWrite(lease, 'IDLE') });
    },

    async abandon(lease) {
      return (await writeIf(db, { ...keyed(lease.key), ...writes.endLeaseWrite(lease, 'ABANDONED') }))
        .applied;
    },

    async markLost(lease) {
      return (await writeIf(db, { ...keyed(lease.key), ...writes.markLostWrite(lease) })).applied;
    },

    async takeDelivery(of, requestId) {
      const result = await writeIf(db, { ...keyed(of.key), ...writes.takeDeliveryWrite(of, requestId) });
      return result.applied || (result.item?.['dueBy'] === requestId && result.item['ex'] === of.execution);
    },

    async publicOf(similarityKey, limit) {
      const items = await query({
        IndexName: 'publicByLook' satisfies Index,
        KeyConditionExpression: 'look = :look',
        ExpressionAttributeValues: { ':look': similarityKey },
        Limit: limit,
      });
      return items.map(generationIn).filter(({ state }) => state === 'READY');
    },

    async byImageId(imageId) {
      const [found] = await query({
        IndexName: 'byImageId' satisfies Index,
        KeyConditionExpression: 'imageId = :id',
        ExpressionAttributeValues: { ':id': imageId },
        Limit: 1,
      });
      return found && read((found as unknown as GenerationAttributes).pk);
    },
  };
}

/** Whether this very execution has finished the image: a lost answer that arrived after all. */
function isReadyBy(item: Item | undefined, lease: Lease): boolean {
  const { st, ex, f } = (item ?? {}) as Partial<GenerationAttributes>;
  return st === 'READY' && ex === lease.execution && f === lease.fence;
}

/** Attributes are short because every lease, poll and listing reads them. */
interface GenerationAttributes {
  readonly pk: ImageKey;
  readonly imageId: string;
  readonly st: Generation['state'];
  readonly ex: string;
  readonly f: number;
  readonly settled: boolean;
  readonly claim?: string;
  readonly q?: string;
  readonly due?: true;
  /** The request that has taken the first delivery. */
  readonly dueBy?: string;
  readonly why?: FailureReason;
  readonly tries?: number;
  readonly notBefore?: number;
  readonly until?: number;
  readonly s3?: Master;
}

function generationIn(item: Item): Generation {
  const { pk, imageId, st, ex, f, settled, q, due, why, tries, notBefore, until, s3, claim } =
    item as unknown as GenerationAttributes;
  return {
    key: pk,
    imageId,
    state: st,
    execution: ex,
    fence: f,
    settled,
    due: due === true,
    tries: tries ?? 0,
    ...(q === undefined ? {} : { quotaKey: q }),
    ...(why === undefined ? {} : { failure: why }),
    ...(notBefore === undefined ? {} : { notBeforeMs: notBefore }),
    ...(until === undefined ? {} : { leaseEndsMs: until }),
    ...(claim === undefined ? {} : { isStarted: true }),
    ...(s3 === undefined ? {} : { master: s3 }),
  };
}
