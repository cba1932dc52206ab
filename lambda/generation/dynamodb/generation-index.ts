/** The generation index in DynamoDB: every step of the protocol is one conditional write. */

import { QueryCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../aws/dynamodb';
import { call, type Database, retryIdempotent } from '../../aws/dynamodb/call';
import { readItem, writeIf } from '../../aws/dynamodb/items';
import type { IndexName } from '../../contract/tables';
import {
  type Acquisition,
  type Failed,
  type FailureReason,
  type Finished,
  type Generation,
  type GenerationIndex,
  generationKeptMs,
  type Lease,
  type Master,
} from '../generation';
import type { ImageKey } from '../generation-identity';

type Index = IndexName<'generationIndex'>;

/** @param tableName of the generation index. Calls throw when their outcome is unknown after the last attempt. */
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
      const result = await writeIf(db, { ...keyed(key), ...acquireWrite(acquisition) });
      const item = result.item as GenerationAttributes | undefined;
      if (!item) throw new Error('The generation vanished while it was acquired');
      if (item.st === 'LEASED' && item.ex === execution)
        return { outcome: 'leased', lease: { key, execution, fence: item.f } };
      return { outcome: 'taken', generation: generationIn(item as unknown as Item) };
    },

    async claim(lease, run) {
      const result = await writeIf(db, { ...keyed(lease.key), ...claimWrite(lease, run) });
      return result.applied ? generationIn(result.item) : undefined;
    },

    async finalize(lease, finished) {
      const result = await writeIf(db, { ...keyed(lease.key), ...finalizeWrite(lease, finished) });
      return result.applied || isReadyBy(result.item, lease) ? 'ready' : 'fenced';
    },

    async markSettled(lease) {
      return (await writeIf(db, { ...keyed(lease.key), ...markSettledWrite(lease) })).applied;
    },

    async fail(lease, failed) {
      const result = await writeIf(db, { ...keyed(lease.key), ...failWrite(lease, failed) });
      if (result.applied) return 'failed';
      if (isReadyBy(result.item, lease)) return 'ready';
      // Its own write, sent again: another one of the same execution has a moment of its own.
      const { st, ex, notBefore } = (result.item ?? {}) as Partial<GenerationAttributes>;
      const isOwn = st === 'FAILED' && ex === lease.execution && notBefore === failed.notBeforeMs;
      return isOwn ? 'failed' : 'fenced';
    },

    async release(lease) {
      await writeIf(db, { ...keyed(lease.key), ...endLeaseWrite(lease, 'IDLE') });
    },

    async abandon(lease) {
      return (await writeIf(db, { ...keyed(lease.key), ...endLeaseWrite(lease, 'ABANDONED') })).applied;
    },

    async markLost(lease) {
      return (await writeIf(db, { ...keyed(lease.key), ...markLostWrite(lease) })).applied;
    },

    async remove(key) {
      return (await writeIf(db, { ...keyed(key), ...removeWrite })).applied;
    },

    async takeDelivery(of, requestId) {
      const result = await writeIf(db, { ...keyed(of.key), ...takeDeliveryWrite(of, requestId) });
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
      const [listed] = await query({
        IndexName: 'byImageId' satisfies Index,
        KeyConditionExpression: 'imageId = :id',
        ExpressionAttributeValues: { ':id': imageId },
        Limit: 1,
      });
      return listed && read((listed as unknown as GenerationAttributes).pk);
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

type Write = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** Fenced: only the execution that holds the lease, and only under the acquisition it knows of. */
const holds = 'st = :leased AND ex = :ex AND f = :f';
const held = ({ execution, fence }: Lease) => ({ ':leased': 'LEASED', ':ex': execution, ':f': fence });

function acquireWrite({ execution, imageId, quotaKey, nowMs, leaseEndsMs }: Acquisition): Write {
  const isCharged = quotaKey !== undefined;
  const gone = ['claim', 'why', 'notBefore', 'due', 'dueBy', ...(isCharged ? [] : ['q'])];
  return {
    UpdateExpression: `SET st = :leased, ex = :ex, f = if_not_exists(f, :zero) + :one, settled = :no, imageId = :id, #until = :until, #ttl = :ttl${isCharged ? ', q = :q' : ''} REMOVE ${gone.join(', ')}`,
    ConditionExpression:
      'attribute_not_exists(st) OR st IN (:idle, :abandoned) OR (st = :failed AND notBefore <= :now) OR (st = :leased AND #until < :now AND ex <> :ex)',
    ExpressionAttributeNames: { '#until': 'until', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':leased': 'LEASED',
      ':idle': 'IDLE',
      ':abandoned': 'ABANDONED',
      ':failed': 'FAILED',
      ':ex': execution,
      ':id': imageId,
      ':zero': 0,
      ':one': 1,
      ':no': false,
      ':now': nowMs,
      ':until': leaseEndsMs,
      ':ttl': expiryS(nowMs),
      ...(isCharged ? { ':q': quotaKey } : {}),
    },
  };
}

function claimWrite(lease: Lease, run: string): Write {
  return {
    UpdateExpression: 'SET claim = :run',
    ConditionExpression: `${holds} AND (attribute_not_exists(claim) OR claim = :run)`,
    ExpressionAttributeValues: { ...held(lease), ':run': run },
  };
}

/** A free execution has no charge to wait for, so it is settled at once and has no delivery that was paid for. */
function finalizeWrite(lease: Lease, { master, charged, listing }: Finished): Write {
  return {
    UpdateExpression: `SET st = :ready, s3 = :s3, settled = :settled${charged ? ', due = :yes' : ''}${listing ? ', look = :look, listedAt = :at' : ''} REMOVE claim, why, tries, notBefore, #until, #ttl`,
    ConditionExpression: holds,
    ExpressionAttributeNames: { '#until': 'until', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ...held(lease),
      ':ready': 'READY',
      ':s3': master,
      ':settled': !charged,
      ...(charged ? { ':yes': true } : {}),
      ...(listing ? { ':look': listing.similarityKey, ':at': listing.listedAt } : {}),
    },
  };
}

function markSettledWrite({ execution, fence }: Lease): Write {
  return {
    UpdateExpression: 'SET settled = :yes',
    ConditionExpression: 'st = :ready AND ex = :ex AND f = :f',
    ExpressionAttributeValues: { ':yes': true, ':ready': 'READY', ':ex': execution, ':f': fence },
  };
}

function failWrite(lease: Lease, { why, tries, notBeforeMs, nowMs }: Failed): Write {
  return {
    UpdateExpression:
      'SET st = :failed, why = :why, tries = :tries, notBefore = :notBefore, #ttl = :ttl REMOVE claim, #until',
    ConditionExpression: holds,
    ExpressionAttributeNames: { '#until': 'until', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ...held(lease),
      ':failed': 'FAILED',
      ':why': why,
      ':tries': tries,
      ':notBefore': notBeforeMs,
      ':ttl': expiryS(nowMs),
    },
  };
}

/** Gives an unused lease back (`IDLE`) or takes it away (`ABANDONED`). */
function endLeaseWrite(lease: Lease, to: 'IDLE' | 'ABANDONED'): Write {
  return {
    UpdateExpression: 'SET st = :to REMOVE claim, #until',
    ConditionExpression: holds,
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ...held(lease), ':to': to },
  };
}

/** The image leaves every listing; what is kept is its fence. Only after its charge is settled. */
function markLostWrite({ execution, fence }: Lease): Write {
  return {
    UpdateExpression: 'SET st = :idle REMOVE s3, due, dueBy, look, listedAt',
    ConditionExpression: 'st = :ready AND ex = :ex AND f = :f AND settled = :yes',
    ExpressionAttributeValues: {
      ':idle': 'IDLE',
      ':ready': 'READY',
      ':ex': execution,
      ':f': fence,
      ':yes': true,
    },
  };
}

/** Never deleted, so that it is not made again. A charge that is still pending is given back by the sweeper. */
const removeWrite: Write = {
  UpdateExpression: 'SET st = :removed REMOVE s3, look, listedAt, claim, why, tries, notBefore, #until, #ttl',
  ConditionExpression: 'attribute_exists(st) AND st <> :leased',
  ExpressionAttributeNames: { '#until': 'until', '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':removed': 'REMOVED', ':leased': 'LEASED' },
};

/** The request leaves its id, so that it knows its own success again after a lost answer. */
function takeDeliveryWrite({ execution }: Pick<Lease, 'execution'>, requestId: string): Write {
  return {
    UpdateExpression: 'SET dueBy = :request REMOVE due',
    ConditionExpression: 'ex = :ex AND attribute_exists(due)',
    ExpressionAttributeValues: { ':request': requestId, ':ex': execution },
  };
}

function expiryS(nowMs: number): number {
  return Math.ceil((nowMs + generationKeptMs) / 1_000);
}
