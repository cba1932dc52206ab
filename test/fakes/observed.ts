/** A real adapter over tables in memory, which a test observes and makes fail. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import { createMemoryDynamoDb, type MemoryDynamoDb } from '../simulation/memory-dynamodb';

/** Turns that a write takes to arrive: more than any use case takes to answer without waiting for it. */
const turnsOfWrite = 50;

/** Lets what does not wait for a write go on before it. */
export async function arrival(): Promise<void> {
  for (let turn = 0; turn < turnsOfWrite; turn++) await undefined;
}

/**
 * Tables in memory, and the transport to them: no call takes time, and a write arrives after whoever does not wait for it
 * has gone on.
 */
export function tablesInMemory(): { readonly memory: MemoryDynamoDb; readonly db: Database } {
  const memory = createMemoryDynamoDb();
  const send: Database['send'] = async (command) => {
    if (/^(Put|Update)Item$/.test(command.operation)) await arrival();
    return memory.send(command);
  };
  return { memory, db: { send, pause: async () => undefined, isInstant: true } };
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
