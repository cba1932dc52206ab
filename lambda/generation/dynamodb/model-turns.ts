/** A model's requests per minute in DynamoDB: one item per model and minute, with an attribute for each share. */

import type { Database } from '../../aws/dynamodb/call';
import { readItem } from '../../aws/dynamodb/items';
import type { Window } from '../../base/window';
import { takeWindows } from '../../quota/dynamodb/take-windows';
import type { ModelTurns } from '../draw-master';

/** How long a minute is kept after it has ended, in seconds: an operator who looks for a fault still finds it. */
const keptForS = 3_600;

/** Counts requests to models a minute, in one item for each model and minute. */
export function createModelTurns(db: Database, tableName: string): ModelTurns {
  const keyOf = (model: string, minute: Window) => `M#${model}#${minute.label}`;
  return {
    take: (model, minute, shares) =>
      takeWindows(db, tableName, keyOf(model, minute), shares, Math.ceil(minute.endMs / 1_000) + keptForS),

    async taken(model, minute) {
      const item = (await readItem(db, tableName, { pk: keyOf(model, minute) })) ?? {};
      return Object.fromEntries(
        Object.entries(item).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
      );
    },
  };
}
