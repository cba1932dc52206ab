/** Checks every applied write against the protocol. */

import { imageKeyOf, ownershipOf } from '../../lambda/generation/generation-identity';
import { pendingOperation } from '../../lambda/quota/dynamodb/quota-item';
import { grantingCounterKey } from '../../lambda/quota/quota';
import type { Item } from './dynamodb-expressions';
import type { AppliedWrite } from './memory-dynamodb';

export interface Ledger {
  watch(write: AppliedWrite): void;
  readonly violations: readonly string[];
  /** How each execution's operation was settled; `P` while it is not. A free one costs 0. */
  readonly operations: ReadonlyMap<string, LedgerOperation>;
  /** Executions that have finished an image, with the key of it. */
  readonly finished: ReadonlyMap<string, string>;
}

interface LedgerOperation {
  readonly quotaKey: string;
  readonly state: 'P' | 'C' | 'R';
  readonly cost: number;
}

/**
 * @param bounds the highest limit and cap that may hold for an item at any time of the history
 * @param windowOf the highest limit under which any other counter was charged
 */
export function createLedger(
  bounds: (quotaKey: string) => { limit: number; cap: number },
  windowOf: (key: string) => number,
): Ledger {
  const violations: string[] = [];
  const operations = new Map<string, LedgerOperation>();
  const finished = new Map<string, string>();
  /** Executions whose image was taken down. */
  const removed = new Set<string>();
  const items = new Map<string, Item>();
  const demand = (holds: boolean, what: () => string) => {
    if (!holds) violations.push(what());
  };

  const watchQuota = ({ pk, before, after }: AppliedWrite) => {
    const [was, is] = [sumsIn(before), sumsIn(after)];
    const { limit, cap } = bounds(pk);
    const isCounter = grantingCounterKey(pk) === undefined;
    const balances = is.taken === is.held - is.heldFree + is.spent + is.granted - is.returned;
    const isPositive =
      is.heldFree >= 0 && is.held >= is.heldFree && is.spent >= 0 && is.granted >= is.returned;
    demand(balances && isPositive, () => `I1: ${pk} does not balance`);
    demand(
      !isCounter || is.taken <= was.taken || is.taken <= limit,
      () => `I1: ${pk} has ${is.taken} taken of ${limit}`,
    );
    demand(is.held <= was.held || is.held <= cap, () => `cap: ${pk} holds ${is.held} of ${cap}`);
    demand(is.held === 0 || after['sweepAt'] !== undefined, () => `sweepAt: ${pk} holds ${is.held}`);
    demand(watermarkIn(after) >= watermarkIn(before), () => `watermark: ${pk} has a lower one`);
    const moved = { held: 0, heldFree: 0, spent: 0 };
    for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after)])) {
      if (!name.startsWith('op#') || before?.[name] === after[name]) continue;
      const step = watchOperation(pk, name.slice(3), before?.[name], after);
      moved.held += step.held;
      moved.heldFree += step.heldFree;
      moved.spent += step.spent;
    }
    demand(is.held - was.held === moved.held, () => `sums: ${pk} holds what no operation holds`);
    demand(is.heldFree - was.heldFree === moved.heldFree, () => `sums: ${pk} miscounts free places`);
    const plain = is.spent - was.spent - moved.spent;
    demand(Math.abs(plain) <= 1, () => `sums: ${pk} has spent ${plain} at once`);
    items.set(pk, after);
    watchUnits(grantingCounterKey(pk) ?? pk);
  };

  /** What a counter has granted covers what is finished, and nothing more where no sweeper would look. */
  const watchUnits = (counterKey: string) => {
    const key = `${counterKey}#held`;
    const reservations = items.get(key);
    const { granted, returned } = sumsIn(items.get(counterKey));
    const owned = [...operations].filter(
      ([execution, { quotaKey, state, cost }]) =>
        quotaKey === key && cost > 0 && (state === 'C' || (state === 'P' && finished.has(execution))),
    ).length;
    demand(
      granted - returned >= owned,
      () => `U1: ${counterKey} covers ${granted - returned} of ${owned} images`,
    );
    if (reservations && reservations['sweepAt'] === undefined)
      demand(
        granted - returned === sumsIn(reservations).taken,
        () => `U2: ${key} is closed with a surplus of ${granted - returned - sumsIn(reservations).taken}`,
      );
  };

  const watchOperation = (quotaKey: string, execution: string, before: unknown, after: Item) => {
    const [was, is] = [stateOf(before), stateOf(after[`op#${execution}`])];
    const cost = operations.get(execution)?.cost ?? costOf(execution, after[`op#${execution}`]);
    const free = 1 - cost;
    switch (`${was}${is}`) {
      case '-P':
        demand(!operations.has(execution), () => `I2: ${execution} was reserved again`);
        operations.set(execution, { quotaKey, state: 'P', cost });
        return { held: 1, heldFree: free, spent: 0 };
      case 'PC':
        demand(finished.has(execution), () => `I4: ${execution} was charged without an image`);
        operations.set(execution, { quotaKey, state: 'C', cost });
        return { held: -1, heldFree: -free, spent: cost };
      case 'PR':
        // A free one only gives up its place, whatever became of the image.
        demand(
          cost === 0 || !finished.has(execution) || removed.has(execution),
          () => `I3: ${execution} was delivered and given back`,
        );
        operations.set(execution, { quotaKey, state: 'R', cost });
        return { held: -1, heldFree: -free, spent: 0 };
      case 'C-':
      case 'R-':
        demand(watermarkIn(after) >= execution, () => `watermark: ${execution} was pruned above it`);
        return { held: 0, heldFree: 0, spent: 0 };
      default:
        violations.push(`operation: ${execution} went from ${was} to ${is}`);
        return { held: 0, heldFree: 0, spent: 0 };
    }
  };

  const watchWindow = ({ pk, before, after }: AppliedWrite) => {
    const [was, is] = [countIn(before), countIn(after)];
    demand(
      is >= 0 && (is <= was || is <= windowOf(pk)),
      () => `window: ${pk} holds ${is} of ${windowOf(pk)}`,
    );
  };

  const watchGeneration = ({ pk, before, after }: AppliedWrite) => {
    const execution = String(after['ex']);
    const operation = operations.get(execution);
    demand(Number(before?.['f'] ?? 0) <= Number(after['f']), () => `fence: ${pk} has a lower one`);
    const { account } = ownershipOf(imageKeyOf(pk));
    demand(
      String(after['q'] ?? `Q#${account}#`).startsWith(`Q#${account}#`),
      () => `tenant: ${pk} is charged to ${after['q']}`,
    );
    if (after['st'] === 'REMOVED') {
      removed.add(execution);
      return;
    }
    if (before?.['st'] === 'READY' && after['st'] === 'IDLE') {
      demand(after['s3'] === undefined, () => `ready: ${pk} was given up like a lease`);
      demand(before['settled'] === true, () => `evict: ${pk} was given up before it was settled`);
      return;
    }
    if (before?.['st'] === 'READY') {
      demand(after['st'] === 'READY' && after['s3'] === before['s3'], () => `ready: ${pk} was lost`);
      demand(
        before['dueBy'] === undefined || before['dueBy'] === after['dueBy'],
        () => `due: ${pk} was taken twice`,
      );
      if (after['settled'] === true && after['q'] !== undefined)
        demand(
          operation?.state === 'C',
          () => `settled: ${pk} says so and ${execution} is ${operation?.state}`,
        );
      return;
    }
    if (after['st'] !== 'READY') return;
    demand(!finished.has(execution), () => `I6: ${execution} was finished twice`);
    demand(
      before?.['st'] === 'LEASED' && before['ex'] === execution,
      () => `lease: ${pk} was finished without`,
    );
    demand(before?.['f'] === after['f'], () => `fence: ${pk} was finished under another`);
    if (after['q'] !== undefined)
      demand(
        operation?.state === 'P' || operation?.state === 'C',
        () => `I3: ${execution} is ${operation?.state}`,
      );
    demand(
      after['q'] === undefined || after['settled'] !== true,
      () => `settled: ${pk} was finished with a charge settled before it`,
    );
    demand(
      after['q'] === undefined || operation?.quotaKey === after['q'],
      () => `item: ${pk} names ${after['q']} and ${execution} stands in ${operation?.quotaKey}`,
    );
    demand(
      after['q'] !== undefined || (after['settled'] === true && after['due'] === undefined),
      () => `free: ${pk} waits for a charge or owes a delivery`,
    );
    demand(!pk.includes('#private#') || after['look'] === undefined, () => `private: ${pk} is listed`);
    finished.set(execution, pk);
  };

  return {
    violations,
    operations,
    finished,
    watch(write) {
      if (write.table === 'generationIndex') watchGeneration(write);
      if (write.table !== 'quotaCounters') return;
      if (write.pk.startsWith('Q#')) watchQuota(write);
      if (/^(F|RL)#/.test(write.pk)) watchWindow(write);
    },
  };
}

function sumsIn(item: Item | undefined) {
  const {
    taken = 0,
    held = 0,
    heldFree = 0,
    spent = 0,
    granted = 0,
    returned = 0,
  } = (item ?? {}) as Readonly<Record<string, number>>;
  return { taken, held, heldFree, spent, granted, returned };
}

/** Units that a window has counted. */
export function countIn(item: Item | undefined): number {
  return item?.['ops'] instanceof Set ? item['ops'].size : Number(item?.['taken'] ?? 0);
}

function watermarkIn(item: Item | undefined): string {
  return String(item?.['wm'] ?? '');
}

/** What a pending entry costs. */
function costOf(execution: string, entry: unknown): number {
  return entry instanceof Uint8Array ? pendingOperation(execution, entry).cost : 1;
}

function stateOf(entry: unknown): string {
  if (entry === undefined) return '-';
  return typeof entry === 'string' ? entry : 'P';
}
