/** The images of a page by slot, so that later batches of the page repeat none and a slot keeps its image. */

import type { Clock, Ids } from '../base/clock';
import type { StockMemory } from '../base/item-store';
import { poll } from '../base/poll';
import type { Telemetry } from '../base/telemetry';
import { pageKeptMs, pageSlotsMax } from '../contract/batch';
import { pageLeaseMs, pageReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import { sha256Hex } from '../requests/image-request';

/** What a slot shows. */
export interface FilledSlot {
  /** Hash of what was asked for, without the size. */
  readonly asked: string;
  readonly pick: string;
  /** The seed under which the image was found; absent for an AI image. */
  readonly seed?: string;
}

/** The last ones were filled last. */
export type PageSlots = ReadonlyMap<string, FilledSlot>;

/** A page that no other batch changes meanwhile. */
export interface OpenPage {
  readonly slots: PageSlots;
  /** Stores the page and lets the next batch in. Never throws. */
  save(slots: PageSlots): Promise<void>;
  /** Lets the next batch in. Never throws. */
  release(): Promise<void>;
}

export interface PageMemory {
  /** @returns `busy` when other batches of the page take too long. @throws when the table fails. */
  open(caller: KeyedCaller, page: string, deadlineMs: number): Promise<OpenPage | 'busy'>;
}

export interface PageMemoryDeps {
  readonly stockMemory: Pick<StockMemory, 'readLatest' | 'write' | 'lease' | 'release'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

type StoredPage = readonly (readonly [slot: string, filled: FilledSlot])[];

const pauses = { firstPauseMs: 50, longestPauseMs: 400, growth: 1.5 } as const;

export function createPageMemory({ stockMemory, clock, ids, telemetry }: PageMemoryDeps): PageMemory {
  return {
    async open({ kind, account }, page, deadlineMs) {
      const key = `PAGE#${kind}#${account}#${sha256Hex(page)}`;
      const holder = ids.hex(8);
      // What is stored is never fresh, so that the lease on it can always be had.
      const take = async () => (await stockMemory.lease(key, holder, pageLeaseMs)).outcome === 'leased';
      const endsMs = deadlineMs - pageReserveMs;
      const isHeld = await poll(await take(), (held) => !held, take, { clock, endsMs, ...pauses });
      if (!isHeld) return 'busy';
      const stored = await stockMemory.readLatest<StoredPage>(key);
      const release = async () => {
        try {
          await stockMemory.release(key, holder);
        } catch (error) {
          telemetry.error('A page was not released', error);
        }
      };
      return {
        slots: new Map(stored?.value ?? []),
        release,
        async save(slots) {
          const nowMs = clock.nowMs();
          const value: StoredPage = [...slots].slice(-pageSlotsMax);
          try {
            await stockMemory.write(key, { value, freshUntilMs: nowMs, staleUntilMs: nowMs + pageKeptMs });
          } catch (error) {
            telemetry.error('The images of a page were not stored', error);
            await release();
          }
        },
      };
    },
  };
}
