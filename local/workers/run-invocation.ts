/** Runs one invocation of a function in a worker thread, within the function's time limit. */

import { endInTime, type LocalContext } from '../aws';

/** One invocation as it crosses to a worker thread. */
export interface Invocation {
  readonly functionName: InvokedFunctionName;
  readonly event: unknown;
  /** In milliseconds, from the moment a thread takes it. */
  readonly timeoutMs: number;
}

/** Runs it in this thread. @throws what the handler throws, and at the limit */
export async function runInvocation({ functionName, event, timeoutMs }: Invocation): Promise<unknown> {
  const handler = await invokedFunctions[functionName]();
  return endInTime(functionName, { handler, timeoutMs }, event);
}

/** A function that runs in worker threads. */
export type InvokedFunctionName = 'renderer' | 'generator';

type Handler = (event: unknown, context: LocalContext) => Promise<unknown>;

/** Loads a function; its environment must be set by then. */
export const invokedFunctions: Readonly<Record<InvokedFunctionName, () => Promise<Handler>>> = {
  renderer: async () => (await import('../../lambda/functions/renderer/main')).handler,
  generator: async () => (await import('../../lambda/functions/generator/main')).handler,
};
