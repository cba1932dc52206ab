/** Waits until a model may be asked once more, so that no account and no free work keeps the others from it. */

import type { Clock } from '../base/clock';
import type { CounterWindow } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { minuteWindow, type Window } from '../base/window';
import { modelShares } from '../contract/plans';
import type { ModelTurns } from './model-turns';

export interface AwaitTurnDeps {
  readonly turns: ModelTurns;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** One request to a model, and for whom. */
export interface Turn {
  readonly model: string;
  readonly requestsPerMinute: number;
  /** Whose work it is; each owner has a share of the minute. */
  readonly owner: string;
  /** Work that costs no unit stands behind work that does. */
  readonly isFree: boolean;
  /** Moment (epoch, milliseconds) after which waiting is of no use. */
  readonly deadlineMs: number;
}

/**
 * Charged work that finds no place in the running minute books one in the next, so it stands before all that come
 * later. Free work books none and takes what is left, at most half. An owner's share may be exceeded only by charged
 * work, in the running minute, while no other owner has booked.
 * @returns false when there is no turn before the deadline
 */
export async function awaitTurn(deps: AwaitTurnDeps, turn: Turn): Promise<boolean> {
  const { clock } = deps;
  for (;;) {
    const minute = minuteWindow(clock.nowMs());
    const next = minuteWindow(minute.endMs);
    if (await takeIn(deps, turn, minute)) return true;
    const isUseful = minute.endMs < turn.deadlineMs;
    if (!turn.isFree) {
      if (!(await othersBooked(deps, turn, next)) && (await take(deps, turn, minute, [wholeOf(turn)])))
        return true;
      if (isUseful && (await takeIn(deps, turn, next))) {
        await sleepUntil(clock, minute.endMs);
        return true;
      }
    }
    if (!isUseful) return false;
    await sleepUntil(clock, minute.endMs);
  }
}

/** Takes a request of a minute within the shares of its owner and of its kind. */
function takeIn(deps: AwaitTurnDeps, turn: Turn, minute: Window): Promise<boolean> {
  const { requestsPerMinute, owner, isFree } = turn;
  const ofOwner = Math.max(modelShares.accountMin, Math.floor(requestsPerMinute * modelShares.account));
  const free = { name: 'free', limit: Math.max(1, Math.floor(requestsPerMinute * modelShares.free)) };
  return take(deps, turn, minute, [
    wholeOf(turn),
    { name: shareName(owner), limit: ofOwner },
    ...(isFree ? [free] : []),
  ]);
}

function wholeOf({ requestsPerMinute }: Turn): CounterWindow {
  return { name: 'all', limit: requestsPerMinute };
}

function shareName(owner: string): string {
  return `of#${owner}`;
}

async function take(
  { turns, telemetry }: AwaitTurnDeps,
  { model }: Turn,
  minute: Window,
  shares: readonly CounterWindow[],
): Promise<boolean> {
  try {
    return await turns.take(model, minute, shares);
  } catch (error) {
    // One request too many, which the model may refuse by itself, is better than no image.
    telemetry.error('A request to a model was not counted', error, { generator: model });
    return true;
  }
}

/** Whether another owner's charged work waits for the next minute. */
async function othersBooked({ turns, telemetry }: AwaitTurnDeps, turn: Turn, next: Window): Promise<boolean> {
  try {
    const taken = await turns.taken(turn.model, next);
    return (taken['all'] ?? 0) > (taken[shareName(turn.owner)] ?? 0);
  } catch (error) {
    telemetry.error('The bookings of a model could not be read', error, { generator: turn.model });
    return true;
  }
}

function sleepUntil(clock: Clock, momentMs: number): Promise<void> {
  return clock.sleep(Math.max(0, momentMs - clock.nowMs()));
}
