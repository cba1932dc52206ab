/** Picks: the image that stands for a query at a provider, the same for every size and as long as the provider has it. */

import type { Clock, Ids } from '../base/clock';
import type { Cache, StockMemory, Stored } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import { poll } from '../base/poll';
import type { Telemetry } from '../base/telemetry';
import { pickKeptMs } from '../contract/providers';
import { providerLeaseMs } from '../contract/timeouts';
import { type Candidate, type Fit, orientationOf } from '../images/image';
import { identityOf, type StockRequest, sha256Hex } from '../requests/image-request';
import { rankOfSeed } from './order';
import type { Met, ProviderReply, ProviderSearch, SendRequest } from './provider-request';
import type { StockProvider } from './stock-provider';

/** How long a pick is kept after its last recorded use, in milliseconds: a use is recorded at most a day late. */
const keptForMs = pickKeptMs + 24 * 3_600_000;
/** How long a pick stands after its provider could not be sent a request about it, in milliseconds. */
const uncheckedForMs = 60_000;
/** How long it is remembered that a replaced image has been counted, in milliseconds. */
const countedForMs = 24 * 3_600_000;

/** The usual image of a query, and the one for sizes that it is too small for. */
export const pickKinds = ['usual', 'larger'] as const;
/** One of the two. */
export type PickKind = (typeof pickKinds)[number];

/** An image that stands for a query, with all that is needed to deliver it in any size. */
export interface StoredPick {
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** When its provider last offered it (epoch, milliseconds). */
  readonly offeredMs: number;
  /** Whether its provider no longer has it, while pages still show it. */
  readonly isGone?: boolean;
}

/** A pick as its provider confirmed it lately, and what asking the provider met. */
export interface CheckedPick extends Met {
  /** Absent when the provider does not answer and its earlier answer is too old. */
  readonly pick?: StoredPick;
  /** The provider says that it no longer has the image, though the file may still answer. */
  readonly isGone: boolean;
  /** Until when the pick need not be checked again (epoch, milliseconds). */
  readonly checkedUntilMs: number;
}

/** A pick to be stored. */
export interface NewPick {
  readonly key: string;
  readonly candidate: Candidate;
  readonly fit: Fit;
  /** Until when it need not be checked (epoch, milliseconds). */
  readonly checkedUntilMs: number;
  /** Id of the earlier pick whose image is gone. */
  readonly replaces?: string;
}

/** The picks in the stock memory. */
export interface Picks {
  /** Never throws: a table that does not answer knows no pick. */
  find(key: string): Promise<Stored<StoredPick> | undefined>;
  /**
   * Sends the provider a request about a pick that was not checked lately, in one of all instances. Never throws.
   * @param requestsMax requests that may still be sent to the provider
   */
  check(
    search: ProviderSearch,
    key: string,
    stored: Stored<StoredPick>,
    requestsMax: number,
  ): Promise<CheckedPick>;
  /** Stores a pick, and counts in one of all instances that it replaces another. Never throws. */
  keep(provider: string, pick: NewPick): Promise<void>;
}

/** What picks are stored and checked with. */
export interface PicksDeps {
  readonly stockMemory: StockMemory;
  readonly cache: Pick<Cache, 'take'>;
  readonly send: SendRequest;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Telemetry;
}

/** Key of a pick. The exact size and what is kept by a crop are no part of it, as sizes are renditions of the pick. */
export function pickKey(provider: string, request: StockRequest, kind: PickKind): string {
  const {
    query,
    seed,
    filters: { avoid, color, license, lang },
  } = request;
  const identity = [
    identityOf(query),
    rankOfSeed(seed) ?? seed,
    avoid ?? null,
    color ?? null,
    license ?? null,
    lang ?? null,
  ];
  const suffix = kind === 'usual' ? '' : `#${kind}`;
  return `PICK#${provider}#${orientationOf(request)}#${sha256Hex(JSON.stringify(identity))}${suffix}`;
}

/** What the stock memory does not answer is logged, and counts as no pick. */
export function createPicks({ stockMemory, cache, send, clock, ids, telemetry }: PicksDeps): Picks {
  const store = (key: string, pick: Stored<StoredPick>) =>
    orLogged(telemetry, 'A pick was not stored', () => stockMemory.write(key, pick));

  /** Stores a pick as checked just now. */
  const confirm = async (
    provider: StockProvider,
    key: string,
    unconfirmed: StoredPick,
  ): Promise<CheckedPick> => {
    const nowMs = clock.nowMs();
    const { isGone: _, ...pick } = unconfirmed;
    const value = { ...pick, offeredMs: nowMs };
    const checkedUntilMs = nowMs + provider.capability.freshForMs;
    await store(key, { value, freshUntilMs: checkedUntilMs, staleUntilMs: nowMs + keptForMs });
    return { pick: value, isGone: false, checkedUntilMs, requestsSent: 0 };
  };

  /** A pick that another request is checking, once it is checked; `undefined` when that takes too long. */
  const freshOf = async (key: string, deadlineMs: number): Promise<Stored<StoredPick> | undefined> => {
    const readFresh = async () => {
      const stored = await stockMemory.read<StoredPick>(key);
      return stored && stored.freshUntilMs > clock.nowMs() ? stored : undefined;
    };
    const endsMs = Math.min(deadlineMs, clock.nowMs() + providerLeaseMs);
    return poll(undefined, (stored) => stored === undefined, readFresh, { clock, endsMs });
  };

  const countReplaced = async (key: string, provider: string, id: string) => {
    const once = { name: 'n', limit: 1 };
    const counter = `REPLACED#${sha256Hex(JSON.stringify([key, id]))}`;
    const taking = () => cache.take(counter, [once], clock.nowMs() + countedForMs);
    const isFirst = await orLogged(telemetry, 'A replaced image was not counted', taking, { provider });
    if (isFirst) telemetry.count('picks_replaced', { provider });
  };

  return {
    find: (key) =>
      orLogged(telemetry, 'The stock memory did not answer', () => stockMemory.read<StoredPick>(key)),

    async check(search, key, { value, freshUntilMs, staleUntilMs }, requestsMax) {
      const { provider, deadlineMs } = search;
      const { byId, capability } = provider;
      const { candidate } = value;
      const nowMs = clock.nowMs();
      const checked = { pick: value, isGone: false, requestsSent: 0 };
      if (freshUntilMs > nowMs) return { ...checked, checkedUntilMs: freshUntilMs };
      if (!byId) return confirm(provider, key, value);

      const holder = ids.hex(8);
      const unchecked = () => ({ ...checked, checkedUntilMs: clock.nowMs() + uncheckedForMs });
      try {
        const lease = await stockMemory.lease<StoredPick>(key, holder, providerLeaseMs);
        if (lease.outcome !== 'leased') {
          const fresh = lease.outcome === 'fresh' ? lease.stored : await freshOf(key, deadlineMs);
          return fresh ? { ...checked, pick: fresh.value, checkedUntilMs: fresh.freshUntilMs } : unchecked();
        }
      } catch (error) {
        telemetry.error('A pick was not leased to be checked', error, { provider: provider.name });
        return unchecked();
      }

      const sending = () => send(search, requestsMax, (signal) => byId(candidate.id, signal));
      const about = { provider: provider.name };
      const reply = (await orLogged(telemetry, 'A pick was not checked', sending, about)) ?? unsent;
      const met = { requestsSent: reply.requestsSent, ...(reply.refusal && { refusal: reply.refusal }) };
      if (reply.outcome === 'answered') {
        if (!reply.answer) return { ...unchecked(), ...met, isGone: true };
        // What a search said about the image is kept: an answer by id says less, and has no rank.
        const confirmed = await confirm(provider, key, {
          ...value,
          candidate: { ...candidate, ...reply.answer, description: candidate.description },
        });
        return { ...confirmed, ...met };
      }
      const failed = { ...unchecked(), ...met, isFailed: true } as const;
      if (value.offeredMs + capability.freshForMs + capability.staleForMs > nowMs) {
        // No other request checks it meanwhile.
        await store(key, { value, freshUntilMs: failed.checkedUntilMs, staleUntilMs });
        return failed;
      }
      await stockMemory.release(key, holder).catch(() => undefined); // The lease ends by itself.
      const { pick: _, ...none } = failed;
      return none;
    },

    async keep(provider, { key, candidate, fit, checkedUntilMs, replaces }) {
      const nowMs = clock.nowMs();
      const value: StoredPick = { candidate, fit, offeredMs: nowMs };
      const counting = replaces === undefined ? undefined : countReplaced(key, provider, replaces);
      await store(key, { value, freshUntilMs: checkedUntilMs, staleUntilMs: nowMs + keptForMs });
      await counting;
    },
  };
}

const unsent: ProviderReply<never> = { outcome: 'failed', requestsSent: 0 };
