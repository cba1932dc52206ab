/** What a new image costs and the place that it holds while it is made, under an id that makes both count once. */

import { timeOfUlid } from '../base/ulid';
import type { Allowance } from './quota';

/** How many units one image costs. */
export const imageCost = 1;

/** How many places an image holds among those that its account may generate at once, whatever it costs. */
export const placesHeld = 1;

/** A settled entry stays this long, in milliseconds, so that late messages about it find it; then it may be pruned. */
const tombstoneMs = 60_000;

/** An operation of an item of reservations: one execution of one generation, reserved once and settled once. */
export interface Operation {
  /** Key of the item of reservations, fixed when the operation began: never that of a later month. */
  readonly quotaKey: string;
  /** The execution's ULID, which is the charge's id too. */
  readonly execution: string;
  /** `imageCost`, or 0 for a free variation, which only holds its place. */
  readonly cost: number;
}

/** What a reservation has to respect. */
export interface ReservationLimits {
  readonly allowance: Allowance;
  /** Places that may be held at the same time. */
  readonly heldMax: number;
}

/** An operation that is reserved and not settled, as the sweeper finds it. */
export interface PendingOperation extends Operation {
  /** Public name of the generation that the execution makes, by which its item is found. */
  readonly imageId: string;
  /** Moment (epoch, milliseconds) from which it may be looked into. */
  readonly dueMs: number;
}

/** Whether a settled entry may be removed: old enough by the time in its own id. */
export function isPrunable(execution: string, nowMs: number): boolean {
  return timeOfUlid(execution) <= nowMs - tombstoneMs;
}
