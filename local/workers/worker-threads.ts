/**
 * Runs the renderer and the generator in worker threads: drawing keeps a thread busy, and the tables, which answer in
 * the main thread, must not wait for it.
 */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { failed } from '../../cli/failure';
import { readConfig } from '../../lambda/functions/config';
import { settings as generatorSettings } from '../../lambda/functions/generator/settings';
import { settings as rendererSettings } from '../../lambda/functions/renderer/settings';
import type { LocalFunction } from '../aws';
import type { Invocation, InvokedFunctionName } from './run-invocation';

interface WorkerThreads {
  readonly functions: Readonly<Record<InvokedFunctionName, LocalFunction>>;
  /** Ends the threads, and with them whatever still runs. */
  stop(): Promise<void>;
}

/** Invocations of one function that may wait for a thread; one more is refused as Lambda refuses it. */
const waitingMax = 1_000;

/** libuv's own default, which sharp and the file system share: https://nodejs.org/api/cli.html#uv_threadpool_sizesize */
const libuvThreadsDefault = 4;

/**
 * Threads that draw: they leave a core to the main thread, which answers every request and holds the tables, and a
 * thread of libuv's pool to the files.
 * @param cores of the machine
 * @param libuvThreads size of the pool in which sharp works
 */
export function threadsFor(cores: number, libuvThreads: number): number {
  return Math.max(1, Math.min(cores, libuvThreads) - 1);
}

/** Concurrent generations of one thread, most of whose time is spent waiting for a remote model. */
const awaitedAtOnce = 16;

/**
 * Each thread starts with the first invocation that finds no other one free, and stays.
 * @param environment of the functions, complete by now
 * @throws `ConfigurationError`, which a thread would report with each invocation only
 */
export function startWorkerThreads(environment: Readonly<Record<string, string | undefined>>): WorkerThreads {
  readConfig(environment, rendererSettings);
  const { GENERATOR } = readConfig(environment, generatorSettings);
  const isBusyDrawing = GENERATOR.kind === 'sandbox' && GENERATOR.delayMs === 0;
  const libuvThreads = Number(environment['UV_THREADPOOL_SIZE'] ?? libuvThreadsDefault);
  const threads = threadsFor(availableParallelism(), libuvThreads);
  let isStopping = false;
  const startPool = (concurrentTasksPerWorker: number) =>
    new Piscina({
      filename: join(__dirname, 'worker.mjs'),
      name: 'runInvocation',
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      // A thread that blocks while it waits for work would not see that a kept connection was closed.
      atomics: 'disabled',
      concurrentTasksPerWorker,
    });
  const runIn = (pool: Piscina, functionName: InvokedFunctionName): LocalFunction => {
    const handler = (event: unknown) =>
      pool.run({ functionName, event } satisfies Invocation) as Promise<unknown>;
    return {
      handler: interruptible(functionName, handler, () => isStopping),
      isFull: () => pool.queueSize >= waitingMax,
    };
  };
  const drawing = startPool(1);
  const generating = isBusyDrawing ? drawing : startPool(awaitedAtOnce);
  return {
    functions: { renderer: runIn(drawing, 'renderer'), generator: runIn(generating, 'generator') },
    stop: async () => {
      isStopping = true;
      await Promise.all([drawing.destroy(), generating.destroy()]);
    },
  };
}

/**
 * A handler that says in one line that the end of the service interrupted it, in place of how its thread was ended.
 * @throws `Failure` for what fails once the service is stopping, else what the handler throws
 */
export function interruptible(
  functionName: InvokedFunctionName,
  handler: LocalFunction['handler'],
  isStopping: () => boolean,
): LocalFunction['handler'] {
  return async (event, context) => {
    try {
      return await handler(event, context);
    } catch (error) {
      if (!isStopping()) throw error;
      throw failed(`The service ended while the ${functionName} was still at work.`, error);
    }
  };
}
