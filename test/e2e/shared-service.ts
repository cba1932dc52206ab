/**
 * One local service for all test files of a jest worker that need no settings of their own: a start and its first
 * requests cost more than most files. Each file opens accounts of its own and asks for words of its own; one that uses up
 * the hour of visitors needs a service of its own, as the functions remember that it is used up.
 */

import { keptByWorker } from './kept-by-worker';
import { localAccounts } from './local-account';
import { type RunningService, startService } from './local-service';

/** AI images are drawn at less than their default size, which is sooner; and one word is refused. */
export const sharedGenerator = { kind: 'sandbox', refuse: ['forbidden'], longSidePx: 270 } as const;
/** The environment of a service with that generator. */
export const sharedEnvironment = { GENERATOR: JSON.stringify(sharedGenerator) } as const;

export type SharedService = Omit<RunningService, 'stop' | 'stderr' | 'process'>;

/** The worker's service, with a whole hour for visitors without a key. It ends with the worker. */
export async function sharedService(): Promise<SharedService> {
  const service = await keptByWorker('shared service', start);
  const accounts = await localAccounts(service.url);
  await accounts.forgetVisitors();
  accounts.close();
  return service;
}

async function start(): Promise<RunningService> {
  return startService(['--memory'], sharedEnvironment, { endsWithParent: true });
}
