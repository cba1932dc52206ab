/** The writes of the charging protocol on a generation, each as its update and its condition. */

import type { UpdateCommandInput } from '../../aws/dynamodb/commands';
import { generationKeptMs, type Lease } from '../generation';
import type { Acquisition, Failed, Finished } from '../generation-index';

type Write = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** Fenced: only the execution that holds the lease, and only under the acquisition it knows of. */
const holds = 'st = :leased AND ex = :ex AND f = :f';
const held = ({ execution, fence }: Lease) => ({ ':leased': 'LEASED', ':ex': execution, ':f': fence });

export function acquireWrite({ execution, imageId, quotaKey, nowMs, leaseEndsMs }: Acquisition): Write {
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

export function claimWrite(lease: Lease, run: string): Write {
  return {
    UpdateExpression: 'SET claim = :run',
    ConditionExpression: `${holds} AND (attribute_not_exists(claim) OR claim = :run)`,
    ExpressionAttributeValues: { ...held(lease), ':run': run },
  };
}

/** A free execution has no charge to wait for, so it is settled at once and has no delivery that was paid for. */
export function finalizeWrite(lease: Lease, { master, charged, listing }: Finished): Write {
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

export function markSettledWrite({ execution, fence }: Lease): Write {
  return {
    UpdateExpression: 'SET settled = :yes',
    ConditionExpression: 'st = :ready AND ex = :ex AND f = :f',
    ExpressionAttributeValues: { ':yes': true, ':ready': 'READY', ':ex': execution, ':f': fence },
  };
}

export function failWrite(lease: Lease, { why, tries, notBeforeMs, nowMs }: Failed): Write {
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
export function endLeaseWrite(lease: Lease, to: 'IDLE' | 'ABANDONED'): Write {
  return {
    UpdateExpression: 'SET st = :to REMOVE claim, #until',
    ConditionExpression: holds,
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ...held(lease), ':to': to },
  };
}

/** The image leaves every listing; what is kept is its fence. Only after its charge is settled. */
export function markLostWrite({ execution, fence }: Lease): Write {
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

/** The request leaves its id, so that it knows its own success again after a lost answer. */
export function takeDeliveryWrite({ execution }: Pick<Lease, 'execution'>, requestId: string): Write {
  return {
    UpdateExpression: 'SET dueBy = :request REMOVE due',
    ConditionExpression: 'ex = :ex AND st = :ready AND attribute_exists(due)',
    ExpressionAttributeValues: { ':request': requestId, ':ex': execution, ':ready': 'READY' },
  };
}

function expiryS(nowMs: number): number {
  return Math.ceil((nowMs + generationKeptMs) / 1_000);
}
