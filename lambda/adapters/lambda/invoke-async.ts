/** Hands an event to a function that does its work later: Lambda queues it and answers at once. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { invokeAsyncTimeoutMs, invokeAttemptsMax, invokePauseMs } from '../../contract/timeouts';
import type { Clock } from '../../ports/clock';
import { isThrottled } from './throttle';

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
          { abortSignal: AbortSignal.timeout(invokeAsyncTimeoutMs) },
        );
        if (StatusCode === 202) return;
        throw new Error(`Lambda answered an asynchronous invocation with ${StatusCode}`);
      } catch (error) {
        if (!isThrottled(error) || attempt === invokeAttemptsMax) throw error;
      }
      await clock.sleep(invokePauseMs * attempt);
    }
  };
}
