/**
 * One local service for all test files of a jest worker that need no settings of their own: a start and its first
 * requests cost more than most files. Each file opens accounts of its own and asks for words of its own; one that uses up
 * the hour of visitors needs a service of its own, as the functions remember that it is used up.
 */

import { keptByWorker } from './kept-by-worker';
import { localAccounts } from './local-account';
import { type RunningService, startService } from './local-service';

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
  return startService(['--memory'], {}, { endsWithParent: true });
}
