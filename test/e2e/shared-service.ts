/**
 * One local service for all test files of a jest worker that need no settings of their own: a start and its
 * first requests cost more than most files. Each file opens accounts of its own and asks for words of its
 * own; visitors without a key have no limit here.
 */

import childProcess from 'node:child_process';
import { type RunningService, startService } from './local-service';

export type SharedService = Omit<RunningService, 'stop' | 'stderr' | 'process'>;

/** Jest gives each file its own globals and modules; a worker keeps the modules of Node.js alone. */
const worker = childProcess as { sharedService?: Promise<RunningService> };

/** The worker's service. It ends with the worker. */
export function getSharedService(): Promise<SharedService> {
  worker.sharedService ??= startService(['--memory'], {}, { endsWithParent: true });
  return worker.sharedService.then(({ stop: _stop, ...service }) => service);
}
