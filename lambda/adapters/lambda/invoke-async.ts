/** Hands an event to a function that does its work later: Lambda queues it and answers at once. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { invokeAsyncTimeoutMs } from '../../contract/timeouts';
import type { Clock } from '../../ports/clock';
import { GeneratorBusy } from '../../ports/generator-queue';
import { isThrottled, retryThrottled } from './throttle';

/** Hands over one event of plain JSON. @throws `GeneratorBusy` when Lambda refused it, another error when it may have taken it. */
export type InvokeAsync = (event: object) => Promise<void>;

/** @param client built with `maxAttempts: 1` */
export function createInvokeAsync(client: LambdaClient, functionName: string, clock: Clock): InvokeAsync {
  return (event) => {
    const Payload = new TextEncoder().encode(JSON.stringify(event));
    return retryThrottled(clock, async () => {
      const { StatusCode } = await client.send(
        new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload }),
        { abortSignal: AbortSignal.timeout(invokeAsyncTimeoutMs) },
      );
      if (StatusCode !== 202)
        throw new Error(`Lambda answered an asynchronous invocation with ${StatusCode}`);
    }).catch((error: unknown) => {
      if (isThrottled(error)) throw new GeneratorBusy('Lambda takes no more events', { cause: error });
      throw error;
    });
  };
}
