/** Hands an event to a function that does its work later: Lambda queues it and answers at once. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Clock } from '../../ports/clock';
import { isThrottled, throttleAttempts, throttlePauseMs } from './throttle';

/** Longest wait for Lambda to take an event, in milliseconds. */
const acceptanceTimeoutMs = 2_000;

/** Hands over one event of plain JSON. @throws when Lambda did not take it. */
export type InvokeAsync = (event: object) => Promise<void>;

/** @param client built with `maxAttempts: 1` */
export function createInvokeAsync(client: LambdaClient, functionName: string, clock: Clock): InvokeAsync {
  return async (event) => {
    const Payload = new TextEncoder().encode(JSON.stringify(event));
    for (let attempt = 1; ; attempt++) {
      try {
        const { StatusCode } = await client.send(
          new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload }),
          { abortSignal: AbortSignal.timeout(acceptanceTimeoutMs) },
        );
        if (StatusCode === 202) return;
        throw new Error(`Lambda answered an asynchronous invocation with ${StatusCode}`);
      } catch (error) {
        if (!isThrottled(error) || attempt === throttleAttempts) throw error;
      }
      await clock.sleep(throttlePauseMs * attempt);
    }
  };
}
