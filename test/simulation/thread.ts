/** Simulates a share of many histories in a thread of its own. */

import { parentPort, workerData } from 'node:worker_threads';
import { type Simulated, simulate } from './simulate';

export interface Seeds {
  readonly from: number;
  readonly below: number;
  readonly step: number;
}

export interface History extends Simulated {
  readonly seed: number;
}

// Many calls end in an error that nobody prints.
Error.stackTraceLimit = 0;

async function search({ from, below, step }: Seeds): Promise<void> {
  for (let seed = from; seed < below; seed += step)
    parentPort?.postMessage({ seed, ...(await simulate(seed)) } satisfies History);
}

void search(workerData);
