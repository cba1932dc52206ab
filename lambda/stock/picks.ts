/** Picks: the image that stands for a query at a provider, the same for every size and as long as the provider has it. */

import type { Clock, Ids } from '../base/clock';
import type { Cached, LookupCache } from '../base/lookup-cache';
import { poll } from '../base/poll';
import type { Telemetry } from '../base/telemetry';
import { pickKeptMs } from '../contract/providers';
import { providerLeaseMs } from '../contract/timeouts';
import { type Candidate, type Fit, orientationOf } from '../images/image';
import { identityOf, type StockRequest, sha256Hex } from '../requests/image-request';
import type { Ask, Lookup } from './ask-provider';
import { rankOfSeed } from './order';
import { scoreVersion } from './score';
import type { StockProvider } from './stock-provider';

/** How long a pick is kept after its last recorded use, in milliseconds: a use is recorded at most a day late. */
const keptForMs = pickKeptMs + 24 * 3_600_000;
/** How long a pick stands after its provider could not be asked about it, in milliseconds. */
const uncheckedForMs = 60_000;
/** Pauses of requests that wait until a pick is checked, in milliseconds. */
const pauses = { firstPauseMs: 60, longestPauseMs: 400, growth: 1.6 } as const;
/** How long it is remembered that a replaced image has been counted, in milliseconds. */
const countedForMs = 24 * 3_600_000;

/** The usual image of a query, and the one for sizes that it is too small for. */
export const pickKinds = ['usual', 'larger'] as const;
export type PickKind = (typeof pickKinds)[number];

/** An image that stands for a query, with all that is needed to deliver it in any size. */
export interface StoredPick {
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** Version of the score that chose it; another version never changes it. */
  readonly scoreVersion: number;
  /** When its provider last offered it (epoch, milliseconds). */
  readonly offeredMs: number;
}

export interface CheckedPick {
  readonly pick: StoredPick;
  /** The provider says that it no longer has the image, though the file may still answer. */
  readonly isGone: boolean;
  /** Until when the pick need not be checked again (epoch, milliseconds). */
  readonly checkedUntilMs: number;
}

export interface Picks {
  /** Never throws: a cache that does not answer knows no pick. */
  find(key: string): Promise<Cached<StoredPick> | undefined>;
  /**
   * Asks the provider about a pick that was not checked lately, in one of all instances. Never throws.
   * @returns `undefined` when the provider cannot be asked and its earlier answer is too old
   */
  check(lookup: Lookup, key: string, stored: Cached<StoredPick>): Promise<CheckedPick | undefined>;
  /** Stores a pick, which need not be checked until a moment (epoch, milliseconds). Never throws. */
  keep(key: string, candidate: Candidate, fit: Fit, checkedUntilMs: number): Promise<void>;
  /** Counts that an image was replaced, in one of all instances. Never throws. */
  countReplaced(key: string, provider: string, id: string): Promise<void>;
}

export interface PicksDeps {
  readonly lookups: LookupCache;
  readonly ask: Ask;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** Beginning of the keys of all picks. */
export const pickKeyPrefix = 'PICK#';

/** Key of a pick. The exact size and what is kept by a crop are no part of it, as sizes are renditions of the pick. */
export function pickKey(provider: string, request: StockRequest, kind: PickKind): string {
  const {
    query,
    seed,
    filters: { avoid, color, license },
  } = request;
  const words = identityOf(query)
    .replace(/[\s_-]+/g, ' ')
    .trim();
  const nth = rankOfSeed(seed);
  const identity = [words, nth ?? seed, avoid ?? null, color ?? null, license ?? null];
  const suffix = kind === 'usual' ? '' : `#${kind}`;
  return `${pickKeyPrefix}${provider}#${orientationOf(request)}#${sha256Hex(JSON.stringify(identity))}${suffix}`;
}

export function createPicks({ lookups, ask, clock, ids, telemetry }: PicksDeps): Picks {
  const keep: Picks['keep'] = async (key, candidate, fit, checkedUntilMs) => {
    const nowMs = clock.nowMs();
    const value: StoredPick = { candidate, fit, scoreVersion, offeredMs: nowMs };
    await store(key, { value, freshUntilMs: checkedUntilMs, staleUntilMs: nowMs + keptForMs });
  };

  const store = async (key: string, pick: Cached<StoredPick>) => {
    try {
      await lookups.write(key, pick);
    } catch (error) {
      telemetry.error('A pick was not stored', error);
    }
  };

  /** Stores a pick as checked just now. */
  const confirm = async (
    provider: StockProvider,
    key: string,
    unconfirmed: StoredPick,
  ): Promise<CheckedPick> => {
    const nowMs = clock.nowMs();
    const value = { ...unconfirmed, offeredMs: nowMs };
    const checkedUntilMs = nowMs + provider.capability.freshForMs;
    await store(key, { value, freshUntilMs: checkedUntilMs, staleUntilMs: nowMs + keptForMs });
    return { pick: value, isGone: false, checkedUntilMs };
  };

  /** A pick that another request is checking, once it is checked; `undefined` when that takes too long. */
  const freshOf = async (key: string, deadlineMs: number): Promise<Cached<StoredPick> | undefined> => {
    const readFresh = async () => {
      const stored = await lookups.read<StoredPick>(key);
      return stored && stored.freshUntilMs > clock.nowMs() ? stored : undefined;
    };
    const endsMs = Math.min(deadlineMs, clock.nowMs() + providerLeaseMs);
    return poll(undefined, (stored) => stored === undefined, readFresh, { clock, endsMs, ...pauses });
  };

  return {
    keep,

    async find(key) {
      try {
        return await lookups.read<StoredPick>(key);
      } catch (error) {
        telemetry.error('The lookup cache did not answer', error);
        return undefined;
      }
    },

    async check(lookup, key, { value, freshUntilMs, staleUntilMs }) {
      const { provider, deadlineMs } = lookup;
      const { byId } = provider;
      const { candidate } = value;
      const nowMs = clock.nowMs();
      const checked = { pick: value, isGone: false };
      if (freshUntilMs > nowMs) return { ...checked, checkedUntilMs: freshUntilMs };
      if (!byId) return confirm(provider, key, value);

      const holder = ids.hex(8);
      const unchecked = () => ({ ...checked, checkedUntilMs: clock.nowMs() + uncheckedForMs });
      try {
        const lease = await lookups.lease<StoredPick>(key, holder, providerLeaseMs);
        if (lease.outcome !== 'leased') {
          const fresh = lease.outcome === 'fresh' ? lease.cached : await freshOf(key, deadlineMs);
          if (!fresh) return unchecked();
          return { ...checked, pick: fresh.value, checkedUntilMs: fresh.freshUntilMs };
        }
      } catch (error) {
        telemetry.error('A pick was not claimed to be checked', error, { provider: provider.name });
        return unchecked();
      }

      const response = await ask(lookup, (signal) => byId(candidate.id, signal));
      if (response.outcome === 'answered') {
        if (!response.answer) return { ...unchecked(), isGone: true };
        // What a search said about the image is kept: an answer by id says less, and has no rank.
        const { description } = candidate;
        return confirm(provider, key, { ...value, candidate: { ...response.answer, description } });
      }
      lookup.failed = true;
      const { freshForMs, staleForMs } = provider.capability;
      if (value.offeredMs + freshForMs + staleForMs > nowMs) {
        const { checkedUntilMs } = unchecked();
        // No other request asks about it meanwhile.
        await store(key, { value, freshUntilMs: checkedUntilMs, staleUntilMs });
        return unchecked();
      }
      await lookups.release(key, holder).catch(() => undefined); // The lease ends by itself.
      return undefined;
    },

    async countReplaced(key, provider, id) {
      try {
        const once = { name: 'n', limit: 1 };
        const endsMs = clock.nowMs() + countedForMs;
        const isFirst = await lookups.take(
          `REPLACED#${sha256Hex(JSON.stringify([key, id]))}`,
          [once],
          endsMs,
        );
        if (isFirst) telemetry.count('picks_replaced', { provider });
      } catch (error) {
        telemetry.error('A replaced image was not counted', error, { provider });
      }
    },
  };
}
