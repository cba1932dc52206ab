/** Runs one invocation of a function in a worker thread, within the function's time limit. */

import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { endInTime, type LocalContext } from '../aws';

/** One invocation as it crosses to a worker thread. */
export interface Invocation {
  readonly functionName: InvokedFunctionName;
  readonly event: unknown;
}

/** Runs it in this thread; its time begins now. @throws what the handler throws, and at the limit */
export async function runInvocation(
  { functionName, event }: Invocation,
  functions = invokedFunctions,
): Promise<unknown> {
  const handler = await functions[functionName]();
  return endInTime(functionName, { handler, timeoutMs: functionTimeoutsS[functionName] * 1_000 }, event);
}

/** A function that runs in worker threads. */
export type InvokedFunctionName = 'renderer' | 'generator';

type Handler = (event: unknown, context: LocalContext) => Promise<unknown>;

/** Loads a function; its environment must be set by then. */
export const invokedFunctions: Readonly<Record<InvokedFunctionName, () => Promise<Handler>>> = {
  renderer: async () => (await import('../../lambda/functions/renderer/main')).handler,
  generator: async () => (await import('../../lambda/functions/generator/main')).handler,
};
