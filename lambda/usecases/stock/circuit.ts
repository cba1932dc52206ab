/** Leaves a failing provider alone for a while, and lets one request try whether it is back; all instances share one view. */

import { providerProbeLeaseMs } from '../../contract/timeouts';
import type { Clock, Ids } from '../../ports/clock';
import type { Cached, LookupCache } from '../../ports/lookup-cache';
import type { FailureKind, ProviderFailure } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';

/** Failures in a row after which a provider that merely does not work is left alone; other kinds rest at once. */
const failuresMax = 3;
/** First rest in milliseconds, doubled with every failed probe. */
const restMs = { throttled: 60_000, unauthorized: 300_000, unavailable: 30_000, malformed: 30_000 } as const;
const restMsMax = {
  throttled: 3_600_000,
  unauthorized: 300_000,
  unavailable: 300_000,
  malformed: 300_000,
} as const;
/** How long an instance trusts its view, in milliseconds. */
const viewForMs = 5_000;
/** How long the record of a failure is kept, in milliseconds. */
const recordForMs = 24 * 3_600_000;

/** What is recorded of a provider that failed lately. It is open until the record's `freshUntilMs`, then half open. */
export interface CircuitRecord {
  readonly state: 'open' | 'closed';
  /** Failures in a row. */
  readonly failures: number;
  /** Rests in a row. */
  readonly rests: number;
  readonly lastFailure?: { readonly kind: FailureKind; readonly atMs: number };
}

/** Whether a provider may be asked: yes, not now, or once, to see whether it is back. */
type Admission =
  | { readonly state: 'closed' }
  /** `untilMs`: moment (epoch, milliseconds) before which asking again is in vain. */
  | { readonly state: 'open'; readonly untilMs: number }
  | { readonly state: 'probe'; readonly holder: string };

export interface Circuit {
  /** `probe` is given to exactly one request at a time, once the rest is over. @throws when the cache does not answer. */
  admit(provider: string): Promise<Admission>;
  /** The provider answered. */
  succeeded(provider: string, admission: Admission): Promise<void>;
  /** The provider failed. */
  failed(provider: string, admission: Admission, failure: ProviderFailure): Promise<void>;
  /** A probe ended without saying anything about the provider. */
  undecided(provider: string, admission: Admission): Promise<void>;
}

export interface CircuitDeps {
  readonly lookups: Pick<LookupCache, 'read' | 'write' | 'lease' | 'release'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** Key of the item that holds a provider's record; the operator's tools read it too. */
export function circuitKey(provider: string): string {
  return `S#${provider}`;
}

export function createCircuit({ lookups, clock, ids, telemetry }: CircuitDeps): Circuit {
  const views = new Map<
    string,
    { readonly record: Cached<CircuitRecord> | undefined; readonly seenMs: number }
  >();

  const see = (provider: string, record: Cached<CircuitRecord> | undefined) => {
    views.set(provider, { record, seenMs: clock.nowMs() });
    return record;
  };

  const recordOf = async (provider: string) => {
    const view = views.get(provider);
    if (view && clock.nowMs() - view.seenMs < viewForMs) return view.record;
    return see(provider, await lookups.read<CircuitRecord>(circuitKey(provider)));
  };

  const write = async (provider: string, value: CircuitRecord, freshUntilMs: number) => {
    const record = { value, freshUntilMs, staleUntilMs: freshUntilMs + recordForMs };
    see(provider, record);
    try {
      await lookups.write(circuitKey(provider), record);
    } catch (error) {
      telemetry.error('The state of a stock provider was not stored', error, { provider });
    }
  };

  return {
    async admit(provider) {
      const record = await recordOf(provider);
      if (record?.value.state !== 'open') return { state: 'closed' };
      if (record.freshUntilMs > clock.nowMs()) return { state: 'open', untilMs: record.freshUntilMs };
      const holder = ids.hex(8);
      const lease = await lookups.lease<CircuitRecord>(circuitKey(provider), holder, providerProbeLeaseMs);
      if (lease.outcome === 'leased') return { state: 'probe', holder };
      const probeEndsMs = clock.nowMs() + providerProbeLeaseMs;
      if (lease.outcome !== 'fresh') return { state: 'open', untilMs: probeEndsMs };
      see(provider, lease.cached);
      return { state: 'open', untilMs: lease.cached.freshUntilMs };
    },

    async succeeded(provider, admission) {
      const record = await recordOf(provider).catch(() => undefined);
      if (admission.state !== 'probe' && (record?.value.failures ?? 0) === 0) return;
      const lastFailure = record?.value.lastFailure;
      const closed = { state: 'closed', failures: 0, rests: 0, ...(lastFailure && { lastFailure }) } as const;
      await write(provider, closed, clock.nowMs());
    },

    async failed(provider, admission, { kind, retryAfterMs }) {
      if (kind === 'rejected') return;
      const known = (await recordOf(provider).catch(() => undefined))?.value;
      const nowMs = clock.nowMs();
      const failures = (known?.failures ?? 0) + 1;
      const lastFailure = { kind, atMs: nowMs };
      const restsAtOnce = admission.state === 'probe' || kind === 'throttled' || kind === 'unauthorized';
      if (!restsAtOnce && failures < failuresMax) {
        return write(provider, { state: 'closed', failures, rests: 0, lastFailure }, nowMs);
      }
      const rests = admission.state === 'probe' ? (known?.rests ?? 0) + 1 : 1;
      const wantedMs = retryAfterMs ?? restMs[kind] * 2 ** (rests - 1);
      const endsMs = nowMs + Math.min(Math.max(wantedMs, 1_000), restMsMax[kind]);
      return write(provider, { state: 'open', failures, rests, lastFailure }, endsMs);
    },

    async undecided(provider, admission) {
      if (admission.state !== 'probe') return;
      await lookups.release(circuitKey(provider), admission.holder).catch(() => undefined); // It ends by itself.
    },
  };
}
