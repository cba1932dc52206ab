/** A real adapter over tables in memory, which a test observes and makes fail. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import { createMemoryDynamoDb, type MemoryDynamoDb } from '../simulation/memory-dynamodb';

/** Tables in memory, and the transport to them: no call takes time. */
export function tablesInMemory(): { readonly memory: MemoryDynamoDb; readonly db: Database } {
  const memory = createMemoryDynamoDb();
  return { memory, db: { send: memory.send, pause: async () => undefined, isInstant: true } };
}

type Call = (...args: readonly never[]) => Promise<unknown>;

/**
 * The adapter, whose every call is noted first.
 * @param note called with an operation and its arguments; what it throws, the call rejects with; an answer that it
 * returns is given in place of the adapter's
 */
export function observed<Adapter extends object>(
  adapter: Adapter,
  note: (operation: keyof Adapter & string, args: readonly never[]) => unknown,
): Adapter {
  const calls = Object.entries(adapter as Readonly<Record<string, Call>>).map(([operation, call]) => [
    operation,
    async (...args: never[]) => note(operation as keyof Adapter & string, args) ?? call(...args),
  ]);
  return Object.fromEntries(calls) as Adapter;
}
