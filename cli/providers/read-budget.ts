/** Reads what is left of a provider's budget, from the counter that all instances share. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import { GetCommand } from '../../lambda/aws/dynamodb/commands';
import { counterOf } from '../../lambda/stock/budget';
import type { StockProvider } from '../../lambda/stock/stock-provider';
import type { WindowView } from './views';

const lengths = {
  d: ['day', 86_400_000],
  h: ['hour', 3_600_000],
  m: ['minute', 60_000],
} as const;

/** The windows of the UTC clock that a call at a moment belongs to, the shortest first. */
export async function readBudget(
  client: Database,
  TableName: string,
  provider: StockProvider,
  nowMs: number,
): Promise<readonly WindowView[]> {
  const counter = counterOf(provider, nowMs);
  if (!counter) return [];
  const question = new GetCommand({ TableName, Key: { pk: counter.key }, ConsistentRead: true });
  const { Item = {} } = await client.send(question);
  return counter.windows
    .map(({ name, limit }) => {
      const [window, lengthMs] = lengths[name.charAt(0) as keyof typeof lengths];
      const left = Math.max(0, limit - Number(Item[name] ?? 0));
      const resetsAt = new Date(nowMs - (nowMs % lengthMs) + lengthMs).toISOString();
      return { window, limit, left, resetsAt };
    })
    .reverse();
}
