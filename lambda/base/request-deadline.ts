/**
 * The deadline of the request that runs, for code that is made once at the start of an instance and so is not handed the
 * services of a request. Code that is takes it from there.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock';
import { type Deadline, deadlineAt, signalWithin } from './deadline';
import { systemClock } from './system';

/** What is left of a request, by its clock. */
export interface RequestTime {
  readonly deadline: Deadline;
  readonly clock: Pick<Clock, 'nowMs'>;
}

const requests = new AsyncLocalStorage<RequestTime>();

/** Does the work of a request, whose deadline all calls in it take. */
export function withinRequest<T>(request: RequestTime, work: () => T): T {
  return requests.run(request, work);
}

/** The deadline of the request that runs, or none. */
export function currentDeadline(): Deadline {
  return requests.getStore()?.deadline ?? deadlineAt(Infinity);
}

/** `signalWithin` of the request that runs. */
export function currentSignal(waitMsMax: number): AbortSignal {
  return signalWithin(
    requests.getStore() ?? { clock: systemClock, deadline: deadlineAt(Infinity) },
    waitMsMax,
  );
}
