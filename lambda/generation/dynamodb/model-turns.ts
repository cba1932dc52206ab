/** A model's requests per minute in DynamoDB: one item per model and minute, with an attribute for each share. */

import type { Database } from '../../aws/dynamodb/call';
import { takeWindows } from '../../quota/dynamodb/take-windows';
import type { ModelTurns } from '../draw-master';

/** How long a minute is kept after it has ended, in seconds: an operator who looks for a fault still finds it. */
const keptForS = 3_600;

/** Counts requests to models a minute, in one item for each model and minute. */
export function createModelTurns(db: Database, tableName: string): ModelTurns {
  return {
    take: (model, minute, shares) =>
      takeWindows(
        db,
        tableName,
        `M#${model}#${minute.label}`,
        shares,
        Math.ceil(minute.endMs / 1_000) + keptForS,
      ),
  };
}
