/**
 * Use this world where a property must hold whatever fails: processes run side by side in virtual time, and
 * each of their calls may be lost, late or the last one. The fates of the calls decide all of it.
 */

import {
  ConditionalCheckFailedException,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../lambda/base/clock';
import { createDeadline } from '../../lambda/base/deadline';
import {
  type AppliedWrite,
  createDatabase,
  createMemoryDynamoDb,
  type Input,
  makeLostAnswer,
} from './memory-database';

export const faults = [
  ...(['throttled', 'request lost', 'answer lost', 'late', 'late'] as const),
  ...(['dies before', 'dies after', 'slow'] as const),
];

/** One call's fate: a fault, or none, and how long things take, from 0 to below 1. */
export interface Fate {
  readonly fault?: (typeof faults)[number] | undefined;
  readonly delay: number;
}

/** A request, or a run of the generator, which may die. */
export interface Process {
  readonly name: string;
  /** Moment of the world at which it is ended. */
  readonly endsMs: number;
  isDead: boolean;
  /** One of its calls has met a fault, or was slow. */
  isDisturbed: boolean;
}

/** A write as it was sent, and by whom. */
export interface SeenWrite extends AppliedWrite {
  readonly by: Process;
  readonly input: Input;
}

/** A mistake that the code under test might make, as what it would send in place of what it sends. */
export interface Mistake {
  /** Another input of a command, or the same. */
  readonly input?: (input: Input) => Input;
  /** Of these writes, another copy is sent when no answer comes. */
  readonly resends?: (input: Input) => boolean;
  /** Files that nobody shows stay. */
  readonly keepsFiles?: boolean;
}

/** Longest that a copy is under way, in milliseconds. */
const lateMsMax = 500_000;
/** Longest that a caller waits for an answer, in milliseconds. */
const patienceMs = 1_500;

export function createWorld(
  startMs: number,
  fates: readonly Fate[],
  onWrite: (write: SeenWrite) => void,
  mistake: Mistake = {},
) {
  let nowMs = startMs;
  let calls = 0;
  /** The next event is the last one here. */
  const events: { readonly atMs: number; readonly happen: () => void }[] = [];
  let writer: Pick<SeenWrite, 'by' | 'input'>;
  const memory = createMemoryDynamoDb(
    (write) => onWrite({ ...write, ...writer }),
    () => (fates[(calls * 7) % fates.length]?.delay ?? 0) > 0.7,
  );

  const schedule = (ms: number, happen: () => void): void => {
    const atMs = Math.max(nowMs, Math.round(ms));
    events.splice(events.findLastIndex((later) => later.atMs > atMs) + 1, 0, { atMs, happen });
  };

  /** Makes a call for a process. @param apply what the call does, when it arrives */
  const call = <T>(process: Process, apply: () => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (process.isDead) return;
      const { fault, delay } = fates[calls++ % fates.length] ?? { delay: 0 };
      if (fault) process.isDisturbed = true;
      const settleAfter = (delayMs: number, settle: () => void) =>
        schedule(nowMs + delayMs, () => process.isDead || settle());
      const quickMs = 1 + 30 * delay;
      const waitMs = Math.max(1, Math.min(patienceMs, process.endsMs - nowMs));
      if (fault === 'throttled') {
        const busy = new ProvisionedThroughputExceededException({ message: 'Busy', $metadata: {} });
        return settleAfter(quickMs, () => reject(busy));
      }
      if (fault === 'dies before') {
        process.isDead = true;
        return;
      }
      const isAnswered = fault === undefined || fault === 'slow';
      const arrive = (): void => {
        const answer = new Promise<T>((answered) => answered(apply()));
        // Nobody may be there to see a failure.
        answer.catch(() => undefined);
        if (isAnswered) settleAfter(quickMs, () => resolve(answer));
        if (fault === 'dies after') process.isDead = true;
      };
      const wayMs = fault === 'late' ? lateMsMax * delay : fault === 'slow' ? waitMs * 0.9 : quickMs;
      if (fault !== 'request lost') schedule(nowMs + wayMs, arrive);
      if (!isAnswered) settleAfter(waitMs, () => reject(makeLostAnswer()));
    });

  /** The tables as a process reaches them. */
  const createDatabaseFor = (process: Process) =>
    createDatabase((command) => {
      const { input } = command as { readonly input: Input };
      const changed = { input: mistake.input?.(input) ?? input };
      const apply = () => {
        writer = { by: process, input };
        return memory.apply(Object.assign(Object.create(command as object), changed));
      };
      return call(process, apply).catch((error: unknown) => {
        if (error instanceof ConditionalCheckFailedException) throw error;
        if (mistake.resends?.(input)) return call(process, apply);
        throw error;
      });
    });

  return {
    memory,
    schedule,
    call,
    nowMs: () => nowMs,
    /**
     * Begins a process.
     * @param skewMs how far its clock is ahead
     * @param spareMs how long before its end tables serve it no more
     */
    begin(name: string, { timeMs = Number.POSITIVE_INFINITY, skewMs = 0, spareMs = 0 } = {}) {
      const process: Process = { name, endsMs: nowMs + timeMs, isDead: false, isDisturbed: false };
      const clock: Clock = {
        nowMs: () => nowMs + skewMs,
        sleep: (delayMs, signal) =>
          new Promise((resolve, reject) => {
            if (signal?.aborted) return reject(signal.reason);
            signal?.addEventListener('abort', () => reject(signal.reason));
            schedule(nowMs + delayMs, () => process.isDead || resolve());
          }),
      };
      const deadline = createDeadline(clock.nowMs() + timeMs - spareMs);
      const { tableNames: tables } = memory;
      const services = { database: createDatabaseFor(process), clock, random: () => 0.5, deadline, tables };
      return { process, services };
    },
    /** Lets everything happen that is going to. */
    async run(): Promise<void> {
      await turn();
      for (let event = events.pop(); event; event = events.pop()) {
        nowMs = event.atMs;
        event.happen();
        await turn();
      }
    },
  };
}

/** Lets everything happen that needs no time. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
