/** The write that settles one operation and removes old settled entries. */

import type { UpdateCommandInput } from '../../aws/dynamodb/commands';
import { imageCost, isPrunable, type Operation, placesHeld } from '../reservations';

export interface SettlingOptions {
  /** Settled entries to be removed; those that are too young are left. */
  readonly prunable: readonly string[];
  readonly nowMs: number;
}

type Write = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/**
 * The place becomes free, what was held is spent (`C`) or given back (`R`), and the entry shrinks to its letter. The
 * watermark rises to the highest id removed, never falls, and never comes within a minute of now, so a late copy of a
 * removed reservation is refused for ever.
 */
export function settlingWrite(
  { execution, cost }: Operation,
  to: 'C' | 'R',
  options: SettlingOptions,
): Write {
  const removed = options.prunable.filter((id) => id !== execution && isPrunable(id, options.nowMs));
  const watermark = removed.at(-1);
  const sums =
    to === 'C' ? 'spent = spent + :c, taken = taken + :zero' : 'taken = taken - :c, spent = spent + :zero';
  const gone = removed.map((_, i) => `#old${i}`);
  return {
    UpdateExpression: [
      `SET #op = :to, held = held - :place, heldFree = if_not_exists(heldFree, :zero) - :free, ${sums}`,
      ...(watermark === undefined ? [] : [', wm = :wm']),
      ...(gone.length === 0 ? [] : [` REMOVE ${gone.join(', ')}`]),
    ].join(''),
    ConditionExpression: [
      // A pending entry is longer than the letter that it becomes, in either form.
      'size(#op) > :letter',
      ...(watermark === undefined ? [] : ['(attribute_not_exists(wm) OR wm < :wm)']),
    ].join(' AND '),
    ExpressionAttributeNames: {
      '#op': `op#${execution}`,
      ...Object.fromEntries(removed.map((id, i) => [`#old${i}`, `op#${id}`])),
    },
    ExpressionAttributeValues: {
      ':to': to,
      ':letter': 1,
      ':c': cost,
      ':place': placesHeld,
      ':free': imageCost - cost,
      ':zero': 0,
      ...(watermark === undefined ? {} : { ':wm': watermark }),
    },
  };
}
