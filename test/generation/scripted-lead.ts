/** An order of an image, and dependencies of leading its generation whose steps end as a test says, and are recorded. */

import type { Clock } from '../../lambda/base/clock';
import { defaultPlans } from '../../lambda/contract/plans';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import { type GenerationIdentity, imageIdOf } from '../../lambda/generation/generation-identity';
import type { ImageOrder, LeadDeps } from '../../lambda/generation/lead-generation';
import { dailyGenerations, monthlyGenerationsOf, refusedPromptsOf } from '../../lambda/quota/fair-use';
import type { Take } from '../../lambda/quota/ledger';
import { quotaOf, rateLimitStatusOf, reservationsKey } from '../../lambda/quota/quota';
import type { Charges, PendingOperation, Reservation } from '../../lambda/quota/reservations';
import { accountId, imageKey } from '../fakes/branded';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';

export const nowMs = Date.UTC(2026, 10, 21, 12);
const key = imageKey(`G#live#owner#public#${'a'.repeat(64)}`);
export const execution = '01K9X000000000000000000000';
export const lease = { key, execution, fence: 3 };
export const identity: GenerationIdentity = {
  key,
  imageId: imageIdOf(key),
  visibility: 'public',
  similarityKey: 'S#1',
  order: { words: 'mountain lake', style: 'photo', bucket: '16:9', seed: 7 },
};
export const generation: Generation = {
  ...lease,
  imageId: identity.imageId,
  state: 'LEASED',
  settled: false,
  due: false,
  tries: 0,
};
export const quota = quotaOf(
  { kind: 'live', account: accountId('owner'), plan: 'pro', keyId: 'k' },
  'ip',
  defaultPlans,
  nowMs,
);
export const quotaKey = reservationsKey(quota);
const credentialLimits = [monthlyGenerationsOf('site', 5, nowMs)];
export const ceilings = [monthlyGenerationsOf('owner', 9, nowMs), dailyGenerations(100, nowMs)];
export const refusedPrompts = refusedPromptsOf('owner', nowMs);
export const overdue: PendingOperation = {
  quotaKey,
  execution: 'older',
  cost: 1,
  imageId: 'i',
  dueMs: nowMs,
};
export const reserved = { outcome: 'reserved', prunable: ['old'], overdue: [], taken: 12 } as const;
export const serviceUnavailable = { code: 'service_unavailable', retryAfterS: 5 };
export const inProgress = { code: 'generation_in_progress', retryAfterS: 5 };
export const throttled = { code: 'rate_limited', retryAfterS: 1 } as const;
export const outage = new Error('no answer');

/** How steps end, where they do not as for an order that is led. */
export interface Steps {
  /** What the index holds. */
  readonly read?: () => Generation | undefined;
  readonly clock?: Clock;
  readonly prompts?: number;
  readonly isTaken?: boolean;
  readonly credential?: Take;
  readonly reservation?: Reservation;
  readonly ceiling?: () => Promise<Take>;
  readonly handOver?: () => Promise<void>;
  readonly ended?: 'failed' | 'ready' | 'fenced';
  readonly release?: () => Promise<void>;
}

/** What a request orders. */
export const order: ImageOrder = {
  identity,
  limits: { quota, heldMax: 25 },
  credentialLimits,
  isFree: false,
  refusedPrompts,
  ceilings,
  deadlineMs: nowMs + 20_000,
};

/** Dependencies, and the steps that were done with them in their order. */
export function scriptedLead(steps: Steps = {}) {
  const done: string[] = [];
  const jobs: object[] = [];
  const telemetry = createRecordedTelemetry();
  const of = (limits: readonly unknown[]) => (limits === ceilings ? 'ceilings' : `${limits.length} limits`);
  const index: Partial<GenerationIndex> = {
    read: async () => (steps.read ? steps.read() : generation),
    acquire: async ({ quotaKey: charged, leaseEndsMs }) => {
      done.push(`acquire ${charged ?? 'for nothing'} for ${leaseEndsMs - nowMs}`);
      return steps.isTaken ? { outcome: 'taken', generation } : { outcome: 'leased', lease };
    },
    release: async () => {
      done.push('release');
      await steps.release?.();
    },
    fail: async (_, { why, tries, notBeforeMs }) => {
      done.push(`fail ${why} ${tries} ${notBeforeMs - nowMs}`);
      return steps.ended ?? 'failed';
    },
    markSettled: async () => true,
  };
  const charges: Partial<Charges> = {
    reserve: async ({ cost, dueMs, imageId }) => {
      done.push(`reserve ${cost} for ${imageId === identity.imageId} due ${dueMs - nowMs}`);
      return steps.reservation ?? reserved;
    },
    refund: async (charge, prunable) => {
      done.push(`refund ${charge.cost} ${prunable}`);
      return 'settled';
    },
    commit: async () => {
      done.push('commit');
      return 'settled';
    },
  };
  const deps: LeadDeps = {
    index: index as GenerationIndex,
    charges: charges as Charges,
    queue: {
      handOver: async (job) => {
        jobs.push(job);
        await steps.handOver?.();
      },
    },
    sweep: { one: async (operation) => void done.push(`sweep ${operation.execution}`) },
    ledger: {
      status: async ({ quota: limit }) => rateLimitStatusOf(limit, limit.limit - (steps.prompts ?? 1)),
      take: async (limits) => {
        done.push(`take ${of(limits)}`);
        if (limits === ceilings) return (await steps.ceiling?.()) ?? { outcome: 'taken', of: ceilings };
        return steps.credential ?? { outcome: 'taken', of: limits };
      },
      giveBack: async (limits) => void done.push(`give back ${of(limits)}`),
    },
    library: { list: async function* () {}, remove: async () => undefined },
    clock: steps.clock ?? { nowMs: () => nowMs, sleep: async () => undefined },
    ids: { ulid: () => execution } as unknown as LeadDeps['ids'],
    telemetry,
  };
  return { deps, done, jobs, telemetry };
}
