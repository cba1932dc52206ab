/** The functions that other functions invoke, loaded from the very files that run in Lambda. */

import type { LocalContext } from '../aws/lambda-endpoint';

export type InvokedFunctionName = 'renderer' | 'generator';

type Handler = (event: unknown, context: LocalContext) => Promise<unknown>;

/** Loads a function; its environment must be set by then. */
export const invokedFunctions: Readonly<Record<InvokedFunctionName, () => Promise<Handler>>> = {
  renderer: async () => (await import('../../lambda/functions/renderer/main')).handler,
  generator: async () => (await import('../../lambda/functions/generator/main')).handler,
};
