/** Chooses and refuses images for an account, undoes that, and lists it. What is chosen shows from the next request on. */

import type { Clock } from '../base/clock';
import { poll } from '../base/poll';
import { isoSeconds } from '../base/window';
import { picksMax } from '../contract/batch';
import type { Orientation } from '../images/image';
import { type ChangeCurationDeps, changeCuration, keptForMs } from './change-curation';
import {
  type DecidedWords,
  type Decision,
  type DecisionPart,
  type Decisions,
  decisionKey,
  decisionPartKey,
  partOf,
} from './chosen-images';
import { type Curation, curationKey, curationSeenMs } from './curation';

/** Longest part, in characters of JSON: an item of the table holds 400 KB. */
const partCharactersMax = 300_000;
/** Decisions that are listed at a time. */
const pageMax = 100;

const orientations = ['landscape', 'portrait', 'square'] as const;

/** @param pick public id of an image */
export type DecisionChange =
  | { readonly kind: 'choose'; readonly pick: string; readonly isAi?: true }
  | { readonly kind: 'refuse'; readonly pick: string }
  /** Takes back the refusal of an image, or everything. */
  | { readonly kind: 'undo'; readonly pick?: string | undefined };

/** A decision as callers read it; the orientation is `null` for one that holds in all of them. */
export interface DecisionView extends DecidedWords {
  readonly orientation: Orientation | null;
  readonly chosen: string | null;
  readonly refused: readonly string[];
}

/** A part of the list of what an account has decided. */
export interface DecisionPage {
  /** `at` in ISO 8601. */
  readonly picks: readonly (DecisionView & { readonly at: string })[];
  /** Where the next page begins; `null` after the last. */
  readonly next: string | null;
}

/** `nothing`: there was nothing to undo; `full`: the account has too many; `busy`: others changed them all the time. */
export type Decided =
  | { readonly outcome: 'decided'; readonly view: DecisionView }
  | { readonly outcome: 'nothing' | 'full' | 'busy' };

/** What is decided about some words, in an orientation or, for `undefined`, in all three. */
export interface DecisionScope extends DecidedWords {
  readonly orientation: Orientation | undefined;
}

/** The decisions of accounts, as `/api/picks` and the CLI change and list them. */
export interface ChooseImage {
  /** Ends once every instance shows it. @param deadlineMs until when it waits for other changes (epoch, milliseconds) @throws when the table does not answer */
  change(account: string, scope: DecisionScope, change: DecisionChange, deadlineMs: number): Promise<Decided>;
  /** @throws when the table does not answer */
  read(account: string, scope: DecisionScope): Promise<DecisionView>;
  /** @param cursor `next` of the page before, empty for the first one @throws when the table does not answer */
  list(account: string, cursor: string): Promise<DecisionPage>;
}

/** Of `next` and the rows of a list. */
export const cursorPattern = /^([0-9a-f]{16}[0-3])?$/;

/** A change is one of its account at a time. */
export function createChooseImage(deps: ChangeCurationDeps & { readonly clock: Clock }): ChooseImage {
  const { stockMemory, clock, ids } = deps;
  const partCalled = async (account: string, part: string): Promise<DecisionPart> =>
    (await stockMemory.readLatest<DecisionPart>(decisionPartKey(account, part)))?.value ?? {};

  /** Stores the changed part, and returns what the curation says of it. */
  const edited = async (
    account: string,
    scope: DecisionScope,
    change: DecisionChange,
    { decided = {} }: Curation,
  ): Promise<{ readonly result: Decided; readonly decided?: Curation['decided'] }> => {
    const key = decisionKey(scope);
    const name = partOf(key);
    const before = await partCalled(account, name);
    const stored = before[key];
    const decisions = withChange(stored?.decisions ?? {}, scope.orientation, change, clock.nowMs());
    if (!decisions) return { result: { outcome: 'nothing' } };
    const { [key]: _, ...others } = before;
    const { query, provider } = stored ?? scope;
    const part =
      Object.keys(decisions).length > 0 ? { ...others, [key]: { query, provider, decisions } } : others;
    const count = rowsOf(part).length;
    const total = Object.entries(decided).reduce(
      (sum, [each, { count }]) => sum + (each === name ? 0 : count),
      count,
    );
    const isMore = change.kind !== 'undo';
    if (isMore && (total > picksMax || JSON.stringify(part).length > partCharactersMax))
      return { result: { outcome: 'full' } };
    await stockMemory.write(decisionPartKey(account, name), {
      value: part,
      freshUntilMs: 0,
      staleUntilMs: clock.nowMs() + keptForMs,
    });
    const { [name]: _earlier, ...left } = decided;
    return {
      result: { outcome: 'decided', view: viewOf(scope, decisions) },
      decided: count > 0 ? { ...left, [name]: { version: ids.hex(8), count } } : left,
    };
  };

  return {
    async change(account, scope, change, deadlineMs) {
      let result: Decided = { outcome: 'busy' };
      let isFirst = false;
      const attempt = () =>
        changeCuration(deps, account, async (before) => {
          const { decided, ...rest } = before;
          isFirst = decided === undefined;
          const done = await edited(account, scope, change, before);
          result = done.result;
          const after = done.decided ?? decided ?? {};
          return Object.keys(after).length > 0 ? { ...rest, decided: after } : rest;
        });
      const isPending = (curation: Curation | undefined) => curation === undefined;
      await poll(await attempt(), isPending, attempt, { clock, endsMs: deadlineMs });
      // Instances that know of decisions of the account read them for each request; the others after this.
      if (isFirst && (result as Decided).outcome === 'decided') await clock.sleep(curationSeenMs);
      return result;
    },

    async read(account, scope) {
      const key = decisionKey(scope);
      return viewOf(scope, (await partCalled(account, partOf(key)))[key]?.decisions ?? {});
    },

    async list(account, cursor) {
      const stored = await stockMemory.readLatest<Curation>(curationKey(account));
      const names = Object.keys(stored?.value.decided ?? {})
        .map(Number)
        .sort((a, b) => a - b)
        .filter((name) => cursor === '' || name >= Number(partOf(cursor)));
      const rows: Row[] = [];
      for (const name of names) {
        rows.push(...rowsOf(await partCalled(account, String(name))).filter(({ id }) => id > cursor));
        if (rows.length > pageMax) break;
      }
      const page = rows.slice(0, pageMax);
      const next = rows.length > pageMax ? (page.at(-1)?.id ?? null) : null;
      return { picks: page.map(({ view }) => view), next };
    },
  };
}

/** What stands after a change; `undefined` where an undo finds nothing to take back. */
function withChange(
  before: Decisions,
  orientation: Orientation | undefined,
  change: DecisionChange,
  atMs: number,
): Decisions | undefined {
  const wanted = orientation ? [orientation] : orientations;
  const isUndone = (decision: Decision | undefined) =>
    decision && (change.pick === undefined || decision.refused.includes(change.pick));
  if (change.kind === 'undo' && !wanted.some((each) => isUndone(before[each]))) return undefined;
  const after = orientations.map((each) => {
    const decision = before[each];
    return [each, wanted.includes(each) ? changed(decision, change, atMs) : decision] as const;
  });
  return Object.fromEntries(after.filter(([, decision]) => decision !== undefined));
}

function changed(before: Decision | undefined, change: DecisionChange, atMs: number): Decision | undefined {
  const { pick } = change;
  if (pick === undefined) return undefined;
  const { chosen, refused = [] } = before ?? {};
  if (change.kind === 'undo' && !refused.includes(pick)) return before;
  const others = refused.filter((each) => each !== pick);
  const isKept = change.kind !== 'refuse' || chosen?.pick !== pick;
  const shown =
    change.kind === 'choose' ? { pick, ...(change.isAi && { isAi: true as const }) } : isKept && chosen;
  const left = change.kind === 'refuse' ? [...others, pick].sort() : others;
  if (!shown && left.length === 0) return undefined;
  return { ...(shown && { chosen: shown }), refused: left, atMs };
}

/** What several orientations have in common: the one choice, and everything that is refused. */
function viewOf({ query, provider, orientation }: DecisionScope, decisions: Decisions): DecisionView {
  const wanted = (orientation ? [orientation] : orientations).map((each) => decisions[each]);
  const [first, ...others] = wanted.map((decision) => decision?.chosen?.pick ?? null);
  const refused = new Set(wanted.flatMap((decision) => decision?.refused ?? []));
  return {
    query,
    orientation: orientation ?? null,
    provider,
    chosen: others.every((each) => each === first) ? (first ?? null) : null,
    refused: [...refused].sort(),
  };
}

interface Row {
  /** Its place in the list; see `cursorPattern`. */
  readonly id: string;
  readonly view: DecisionPage['picks'][number];
}

/** The decisions of a part in their order; what is the same in all orientations is one. */
function rowsOf(part: DecisionPart): readonly Row[] {
  return Object.keys(part)
    .sort()
    .flatMap((key) => {
      const { decisions, ...words } = part[key] as DecisionPart[string];
      const texts = orientations.map((each) => JSON.stringify(decisions[each]));
      const isOne = texts.every((text) => text === texts[0]);
      const row = (orientation: Orientation | undefined, index: number): readonly Row[] => {
        const { atMs } = decisions[orientation ?? 'landscape'] ?? {};
        if (atMs === undefined) return [];
        const view = { ...viewOf({ ...words, orientation }, decisions), at: isoSeconds(atMs) };
        return [{ id: `${key}${index}`, view }];
      };
      return isOne ? row(undefined, 0) : orientations.flatMap((each, index) => row(each, index + 1));
    });
}
