/** What is kept of each image that was taken down: by whom, when and why. */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../../lambda/aws/dynamodb/call';
import { itemsOf } from '../../lambda/aws/dynamodb/items';
import type { Clock } from '../../lambda/base/clock';
import type { StockMemory } from '../../lambda/base/item-store';
import { keptForMs } from '../../lambda/stock/change-operator-images';
import type { ImageKind } from './take-down';

/** A removal, which its command notes once the image is shown nowhere. */
export interface Removal {
  /** As the command was given it: a pick, the id of an AI image, or the id of a photograph. */
  readonly id: string;
  readonly kind: ImageKind;
  /** Files that were deleted. */
  readonly files: number;
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** The ARN of an AWS principal, or a user of the local service's machine. */
  readonly by: string;
  readonly reason: string;
}

/** Removals in the stock memory. Each throws when the table does not answer. */
export interface Removals {
  find(id: string): Promise<Removal | undefined>;
  note(removal: Removal): Promise<void>;
  /** The oldest first. Reads the whole table, as an operator does rarely. */
  all(): Promise<readonly Removal[]>;
}

const prefix = 'REMOVAL#';

/** One item for each removal. @param tableName of the stock memory */
export function createRemovals(
  client: Database,
  tableName: string,
  stockMemory: Pick<StockMemory, 'readLatest' | 'write'>,
  clock: Pick<Clock, 'nowMs'>,
): Removals {
  return {
    find: async (id) => (await stockMemory.readLatest<Removal>(`${prefix}${id}`))?.value,
    async note(value) {
      const staleUntilMs = clock.nowMs() + keptForMs;
      await stockMemory.write(`${prefix}${value.id}`, { value, freshUntilMs: 0, staleUntilMs });
    },
    async all() {
      const scan = new ScanCommand({
        TableName: tableName,
        FilterExpression: 'begins_with(pk, :prefix)',
        ExpressionAttributeValues: { ':prefix': prefix },
      });
      const removals: Removal[] = [];
      for await (const { value } of itemsOf(client, scan)) removals.push(JSON.parse(String(value)));
      return removals.sort((a, b) => a.at.localeCompare(b.at));
    },
  };
}
