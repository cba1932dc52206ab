/** A document client that a test brings, and the services of a process with it. */

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DatabaseServices } from '../../lambda/aws/dynamodb';
import { deadlineAt } from '../../lambda/base/deadline';
import { systemClock } from '../../lambda/base/system';

/** The document client; pauses between attempts take the time that it says. */
export interface Client extends Pick<DynamoDBDocumentClient, 'send'> {
  /** Waits, in milliseconds; the system clock where absent. */
  pause?(delayMs: number): Promise<void>;
}

/** The services of work that has no end. */
export function servicesOf(client: Client): DatabaseServices {
  const { pause: sleep = systemClock.sleep } = client;
  return {
    database: {
      client: client as DatabaseServices['database']['client'],
      slots: { free: 12, waiting: [] },
      silentUntilMs: new Map(),
    },
    clock: { nowMs: systemClock.nowMs, sleep },
    random: Math.random,
    deadline: deadlineAt(Infinity),
  };
}
