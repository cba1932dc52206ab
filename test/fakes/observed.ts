/** A real adapter over tables in memory, which a test observes and makes fail. */

import type { Client as Database } from './client';
import { createMemoryDynamoDb, operationOf } from './memory-dynamodb';

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
export function tablesInMemory() {
  const memory = createMemoryDynamoDb();
  let underWay = 0;
  let calls = 0;
  const send = async (command: unknown) => {
    if (!/^(Put|Update)$/.test(operationOf(command))) return memory.apply(command);
    underWay++;
    await arrival();
    underWay--;
    return memory.apply(command);
  };
  const db: Database = { send: send as Database['send'], pause: async () => undefined };
  /** The answer of a call, which fails where it leaves a write behind: Lambda stops once it has answered. */
  const whole = async <T>(call: Promise<T>): Promise<T> => {
    calls++;
    try {
      const answer = await call;
      if (calls === 1 && underWay > 0) throw new Error('A write was not waited for.');
      return answer;
    } finally {
      calls--;
    }
  };
  return { memory, db, whole };
}
