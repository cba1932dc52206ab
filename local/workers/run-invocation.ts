/** Runs one invocation of a function in a worker thread, within the function's time limit. */

import { endInTime } from '../aws/lambda-endpoint';
import { type InvokedFunctionName, invokedFunctions } from './invoked-functions';

/** One invocation as it crosses to a worker thread. */
export interface Invocation {
  readonly functionName: InvokedFunctionName;
  readonly event: unknown;
  /** In milliseconds, from the moment a thread takes it. */
  readonly timeoutMs: number;
}

export async function runInvocation({ functionName, event, timeoutMs }: Invocation): Promise<unknown> {
  const handler = await invokedFunctions[functionName]();
  return endInTime(functionName, { handler, timeoutMs }, event);
}
