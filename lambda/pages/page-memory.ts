/** The images of a page by slot, so that later batches of the page repeat none and a slot keeps its image. */

import type { Clock, Ids } from '../base/clock';
import type { StockMemory } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import { poll } from '../base/poll';
import type { Telemetry } from '../base/telemetry';
import { pageKeptMs, pageSlotsMax } from '../contract/batch';
import { pageLeaseMs, pageReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import { sha256Hex } from '../requests/image-request';

/** What a slot shows. */
export interface FilledSlot {
  /** Hash of the request that it answers, without the size; stored under this name. */
  readonly asked: string;
  /** What no other slot of the page may show. */
  readonly pick: string;
  /** The public id of the image, where `pick` names what was requested: an AI image. */
  readonly shows?: string;
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

/** The pages of all accounts. */
export interface PageMemory {
  /** @returns `busy` when other batches of the page take too long. @throws when the table fails. */
  open(caller: KeyedCaller, page: string, deadlineMs: number): Promise<OpenPage | 'busy'>;
}

/** Where pages are stored. */
interface PageMemoryDeps {
  readonly stockMemory: Pick<StockMemory, 'readLatest' | 'write' | 'lease' | 'release'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

type StoredSlots = readonly (readonly [slot: string, filled: FilledSlot])[];

/** Which blocks of slots a page has, the oldest first; each is an item of its own, so that a change rewrites one of them. */
interface PageHead {
  readonly first: number;
  readonly last: number;
  /** When all blocks were written last (epoch, milliseconds). */
  readonly writtenMs: number;
}

/** Pages of an account that are listed: those that were begun last. */
const pagesListedMax = 100;
/** How long a page waits for its place in the list, in milliseconds. */
const listWaitMs = 1_000;
/** Slots of one block: some 6 KB, of which a page of the largest size has 15. */
const blockSlotsMax = 32;
const blocksMax = Math.ceil(pageSlotsMax / blockSlotsMax);
/** A page that stays as it is is written again after this time, in milliseconds, so that it is kept. */
const rewrittenAfterMs = 30 * 86_400_000;

/** What is stored is kept for `pageKeptMs`. */
export function createPageMemory({ stockMemory, clock, ids, telemetry }: PageMemoryDeps): PageMemory {
  const write = <T>(key: string, value: T) => {
    const nowMs = clock.nowMs();
    return stockMemory.write(key, { value, freshUntilMs: nowMs, staleUntilMs: nowMs + pageKeptMs });
  };

  /** Waits until `holder` has the lease on a key. What is stored is never fresh, so that it can always be had. */
  const leased = async (key: string, holder: string, endsMs: number): Promise<boolean> => {
    const take = async () => (await stockMemory.lease(key, holder, pageLeaseMs)).outcome === 'leased';
    return poll(await take(), (held) => !held, take, { clock, endsMs });
  };

  /** Puts a page at the top of its account's list. One that finds no place is put there when it is written again. */
  const list = async (caller: PageOwner, page: string, holder: string): Promise<void> => {
    const key = listKey(caller);
    if (!(await leased(key, holder, clock.nowMs() + listWaitMs))) return;
    const names = (await stockMemory.readLatest<readonly string[]>(key))?.value ?? [];
    await write(key, [page, ...names.filter((name) => name !== page)].slice(0, pagesListedMax));
  };

  return {
    async open(caller, page, deadlineMs) {
      const key = pageKey(caller, page);
      const holder = ids.hex(8);
      if (!(await leased(key, holder, deadlineMs - pageReserveMs))) return 'busy';
      const { head, undivided, blocks } = await readPage(stockMemory.readLatest, key);
      const release = () =>
        orLogged(telemetry, 'A page was not released', () => stockMemory.release(key, holder));
      return {
        slots: slotsOf({ undivided, blocks }),
        release,
        async save(slots) {
          try {
            const changed = changeBlocks(blocks, head, slots, clock.nowMs());
            if (!changed) return await release();
            await Promise.all(
              [...changed.numbers].map((number) =>
                write(`${key}#${number}`, [...(blocks.get(number) ?? [])]),
              ),
            );
            // The first time, and from time to time.
            if (changed.head.writtenMs !== head.writtenMs) await list(caller, page, holder);
            if (changed.head === head) await release();
            else await write(key, changed.head);
          } catch (error) {
            telemetry.error('The images of a page were not stored', error);
            await release();
          }
        },
      };
    },
  };
}

type PageOwner = Pick<KeyedCaller, 'kind' | 'account'>;

const listKey = ({ kind, account }: PageOwner): string => `PAGES#${kind}#${account}`;
const pageKey = ({ kind, account }: PageOwner, page: string): string =>
  `PAGE#${kind}#${account}#${sha256Hex(page)}`;

/** What is stored of a page. One from before there were blocks is one list, which the next change divides. */
interface StoredPage {
  readonly head: PageHead;
  readonly undivided: StoredSlots;
  readonly blocks: Map<number, Map<string, FilledSlot>>;
}

async function readPage(read: StockMemory['read'], key: string): Promise<StoredPage> {
  const stored = (await read<PageHead | StoredSlots>(key))?.value;
  const [head, undivided]: [PageHead, StoredSlots] =
    stored && 'last' in stored ? [stored, []] : [{ first: 0, last: -1, writtenMs: 0 }, stored ?? []];
  const numbers = Array.from({ length: head.last - head.first + 1 }, (_, i) => head.first + i);
  const readBlock = async (number: number) =>
    [number, new Map((await read<StoredSlots>(`${key}#${number}`))?.value ?? [])] as const;
  return { head, undivided, blocks: new Map(await Promise.all(numbers.map(readBlock))) };
}

function slotsOf({ undivided, blocks }: Omit<StoredPage, 'head'>): PageSlots {
  return new Map([...undivided, ...[...blocks.values()].flatMap((block) => [...block])]);
}

/** The pages of an account by name, the last one that was begun first. @throws when the table fails */
export async function readPages(
  { read }: Pick<StockMemory, 'read'>,
  owner: PageOwner,
): Promise<ReadonlyMap<string, PageSlots>> {
  const names = (await read<readonly string[]>(listKey(owner)))?.value ?? [];
  const pages = await Promise.all(
    names.map(async (page) => [page, slotsOf(await readPage(read, pageKey(owner, page)))] as const),
  );
  return new Map(pages.filter(([, slots]) => slots.size > 0));
}

/**
 * Brings the blocks of a page to what its slots show: a slot that changes moves to the newest block, and the oldest one is
 * forgotten where there are too many.
 * @returns the blocks to be written and the head, which is the same where it stays; nothing where nothing has changed
 */
function changeBlocks(
  blocks: Map<number, Map<string, FilledSlot>>,
  head: PageHead,
  slots: PageSlots,
  nowMs: number,
): { readonly numbers: ReadonlySet<number>; readonly head: PageHead } | undefined {
  const numbers = new Set<number>();
  const kept = new Set<string>();
  for (const [number, block] of blocks)
    for (const [slot, filled] of block) {
      const now = slots.get(slot);
      if (now && isSame(now, filled)) kept.add(slot);
      else {
        block.delete(slot);
        numbers.add(number);
      }
    }
  let { first, last } = head;
  for (const [slot, filled] of slots) {
    if (kept.has(slot)) continue;
    let block = blocks.get(last);
    if (!block || block.size >= blockSlotsMax) {
      last += 1;
      block = new Map();
      blocks.set(last, block);
    }
    block.set(slot, filled);
    numbers.add(last);
  }
  first = Math.max(first, last - blocksMax + 1);
  const isRewritten = last >= 0 && nowMs - head.writtenMs > rewrittenAfterMs;
  if (numbers.size === 0 && !isRewritten) return undefined;
  if (isRewritten) for (const number of blocks.keys()) numbers.add(number);
  const isKept = first === head.first && last === head.last && !isRewritten;
  const written = [...numbers].filter((number) => number >= first);
  return {
    numbers: new Set(written),
    head: isKept ? head : { first, last, writtenMs: isRewritten ? nowMs : head.writtenMs },
  };
}

function isSame(one: FilledSlot, other: FilledSlot): boolean {
  const { asked, pick, shows, seed } = other;
  return one.asked === asked && one.pick === pick && one.shows === shows && one.seed === seed;
}
