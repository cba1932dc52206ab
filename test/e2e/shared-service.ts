/**
 * One local service for all test files of a jest worker that need no settings of their own: a start and its first
 * requests cost more than most files. Each file opens accounts of its own and asks for words of its own; visitors without a
 * key have no limit here.
 */

import { keptByWorker } from './kept-by-worker';
import { type RunningService, startService } from './local-service';

export type SharedService = Omit<RunningService, 'stop' | 'stderr' | 'process'>;

/** The worker's service. It ends with the worker. */
export function sharedService(): Promise<SharedService> {
  return keptByWorker('shared service', start);
}

async function start(): Promise<RunningService> {
  return startService(['--memory'], {}, { endsWithParent: true });
}
