/** The circuit breaker of each provider: it opens after failures, and lets one request at a time probe; all instances share its state. */

import type { Clock, Ids } from '../base/clock';
import type { Cache, Stored } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import { providerProbeLeaseMs } from '../contract/timeouts';
import type { FailureKind, ProviderFailure } from './stock-provider';

/** Failures in a row that open the circuit; `throttled` and `unauthorized` open it at once. */
const failuresMax = 3;
/** How long the circuit is open after its first trip, in milliseconds; doubled with every failed probe. */
const openForMs = {
  throttled: 60_000,
  unauthorized: 300_000,
  unavailable: 30_000,
  malformed: 30_000,
} as const;
const openForMsMax = {
  throttled: 3_600_000,
  unauthorized: 300_000,
  unavailable: 300_000,
  malformed: 300_000,
} as const;
/** How long an instance uses the state that it has read, in milliseconds. */
const viewForMs = 5_000;
/** How long the record of a failure is kept, in milliseconds. */
const recordForMs = 24 * 3_600_000;

/** What is recorded of a provider that failed lately. An open circuit is half open from the record's `freshUntilMs`. */
export interface CircuitRecord {
  readonly state: 'open' | 'closed';
  /** Failures in a row. */
  readonly failures: number;
  /** Times in a row that the circuit opened without closing in between; stored under this name. */
  readonly rests: number;
  readonly lastFailure?: { readonly kind: FailureKind; readonly atMs: number };
}

/** Whether a provider may be sent a request: yes, not while the circuit is open, or one, as its probe. */
type Permission =
  | { readonly state: 'closed' }
  /** `untilMs`: moment (epoch, milliseconds) before which the circuit lets no request through. */
  | { readonly state: 'open'; readonly untilMs: number }
  | { readonly state: 'probe'; readonly holder: string };

/** The breakers of all providers. */
export interface Circuit {
  /** While the circuit is half open, one request at a time gets `probe`. @throws when the cache does not answer. */
  permit(provider: string): Promise<Permission>;
  /** The provider answered, which closes the circuit. */
  succeeded(provider: string, permission: Permission): Promise<void>;
  /** The provider failed. An open period is as long as its `Retry-After` says, within bounds. */
  failed(provider: string, permission: Permission, failure: ProviderFailure): Promise<void>;
  /** A probe ended without saying anything about the provider. */
  undecided(provider: string, permission: Permission): Promise<void>;
}

/** What breakers are shared and reported by. */
export interface CircuitDeps {
  readonly cache: Pick<Cache, 'read' | 'write' | 'lease' | 'release'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** Key of the item that holds a provider's record; the operator's tools read it too. */
export function circuitKey(provider: string): string {
  return `S#${provider}`;
}

/** What this instance has read of a provider is used for five seconds. */
export function createCircuit({ cache, clock, ids, telemetry }: CircuitDeps): Circuit {
  const views = new Map<
    string,
    { readonly record: Stored<CircuitRecord> | undefined; readonly seenMs: number }
  >();

  const see = (provider: string, record: Stored<CircuitRecord> | undefined) => {
    views.set(provider, { record, seenMs: clock.nowMs() });
    return record;
  };

  const recordOf = async (provider: string) => {
    const view = views.get(provider);
    if (view && clock.nowMs() - view.seenMs < viewForMs) return view.record;
    return see(provider, await cache.read<CircuitRecord>(circuitKey(provider)));
  };

  const write = async (provider: string, value: CircuitRecord, freshUntilMs: number) => {
    const record = { value, freshUntilMs, staleUntilMs: freshUntilMs + recordForMs };
    see(provider, record);
    const writing = () => cache.write(circuitKey(provider), record);
    await orLogged(telemetry, 'The circuit of a stock provider was not stored', writing, { provider });
  };

  return {
    async permit(provider) {
      const record = await recordOf(provider);
      if (record?.value.state !== 'open') return { state: 'closed' };
      if (record.freshUntilMs > clock.nowMs()) return { state: 'open', untilMs: record.freshUntilMs };
      const holder = ids.hex(8);
      const lease = await cache.lease<CircuitRecord>(circuitKey(provider), holder, providerProbeLeaseMs);
      if (lease.outcome === 'leased') return { state: 'probe', holder };
      const probeEndsMs = clock.nowMs() + providerProbeLeaseMs;
      if (lease.outcome !== 'fresh') return { state: 'open', untilMs: probeEndsMs };
      see(provider, lease.stored);
      return { state: 'open', untilMs: lease.stored.freshUntilMs };
    },

    async succeeded(provider, permission) {
      const record = await recordOf(provider).catch(() => undefined);
      if (permission.state !== 'probe' && (record?.value.failures ?? 0) === 0) return;
      const lastFailure = record?.value.lastFailure;
      const closed = { state: 'closed', failures: 0, rests: 0, ...(lastFailure && { lastFailure }) } as const;
      await write(provider, closed, clock.nowMs());
    },

    async failed(provider, permission, { kind, retryAfterMs }) {
      if (kind === 'rejected') return;
      const stored = (await recordOf(provider).catch(() => undefined))?.value;
      const nowMs = clock.nowMs();
      const failures = (stored?.failures ?? 0) + 1;
      const lastFailure = { kind, atMs: nowMs };
      const opensAtOnce = permission.state === 'probe' || kind === 'throttled' || kind === 'unauthorized';
      if (!opensAtOnce && failures < failuresMax) {
        return write(provider, { state: 'closed', failures, rests: 0, lastFailure }, nowMs);
      }
      const trips = permission.state === 'probe' ? (stored?.rests ?? 0) + 1 : 1;
      const wantedMs = retryAfterMs ?? openForMs[kind] * 2 ** (trips - 1);
      const endsMs = nowMs + Math.min(Math.max(wantedMs, 1_000), openForMsMax[kind]);
      return write(provider, { state: 'open', failures, rests: trips, lastFailure }, endsMs);
    },

    async undecided(provider, permission) {
      if (permission.state !== 'probe') return;
      await cache.release(circuitKey(provider), permission.holder).catch(() => undefined); // It ends by itself.
    },
  };
}
