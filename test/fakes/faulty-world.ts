/**
 * Use this world where a property must hold whatever fails: processes run side by side in virtual time, and
 * each of their calls may be lost, late, doubled or the last one. The fates of the calls decide all of it.
 */

import {
  ConditionalCheckFailedException,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../lambda/base/clock';
import { createDeadline } from '../../lambda/base/deadline';
import {
  type AppliedWrite,
  createMemoryDynamoDb,
  databaseOf,
  type Input,
  lostAnswer,
  operationOf,
} from './memory-database';

/** The fates of a call. */
export const faults = [
  ...([
    'throttled',
    'request lost',
    'answer lost',
    'late',
    'late',
    'dies before',
    'dies after',
    'slow',
  ] as const),
];

/** One call's fate: a fault, or none, and how long things take, from 0 to below 1. */
export interface Fate {
  readonly fault?: (typeof faults)[number] | undefined;
  readonly delay: number;
}

/** A request, a run of the generator, or the operator's tool: a process with its own clock, which may die. */
export interface Process {
  readonly name: string;
  /** The request that this works for; a process itself where it is none. */
  readonly group: string;
  readonly clock: Clock;
  /** Moment of the world (epoch, milliseconds) at which it is ended. */
  readonly endsMs: number;
  isDead: boolean;
  /** Something that it called has not answered. */
  isUnsure: boolean;
  /** One of its calls has met a fault, or was slow. */
  isDisturbed: boolean;
  readonly isSafe: boolean;
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
  /** Of these writes, none is sent. */
  readonly drops?: (input: Input) => boolean;
  /** What is read in an answer. */
  readonly reads?: (input: Input, answer: unknown) => unknown;
  /** Of these writes, an answer that is lost passes for an answer. */
  readonly hidesLoss?: (input: Input) => boolean;
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
  let order = 0;
  let calls = 0;
  let isCalm = false;
  let met = 0;
  const events: { readonly atMs: number; readonly order: number; readonly happen: () => void }[] = [];
  let writer: { readonly by: Process; readonly input: Input } | undefined;
  const memory = createMemoryDynamoDb(
    (write) => writer && onWrite({ ...write, ...writer }),
    () => !isCalm && (fates[(calls * 7) % fates.length]?.delay ?? 0) > 0.7,
  );

  const at = (atMs: number, happen: () => void): void => {
    const event = { atMs: Math.max(nowMs, Math.round(atMs)), order: order++, happen };
    let place = events.length;
    while (place > 0 && (events[place - 1] as typeof event).atMs <= event.atMs) place--;
    events.splice(place, 0, event);
  };

  const fateOf = (process: Process): Fate => {
    const fate = fates[calls++ % fates.length] ?? { delay: 0 };
    if (isCalm || process.isSafe) return { delay: fate.delay };
    if (fate.fault) process.isDisturbed = true;
    if (fate.fault && fate.fault !== 'slow') met++;
    return fate;
  };

  /** Makes a call for a process. @param apply what the call does, when it arrives */
  const call = <T>(
    process: Process,
    apply: () => T,
    latestMs = lateMsMax,
    { fault, delay } = fateOf(process),
  ): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (process.isDead) return;
      const after = (delayMs: number, settle: () => void) =>
        at(nowMs + delayMs, () => {
          if (!process.isDead) settle();
        });
      const quickMs = 1 + 30 * delay;
      const waitMs = Math.max(1, Math.min(patienceMs, process.endsMs - nowMs));
      const isAnswered = fault === undefined || fault === 'slow';
      const arrive = (): void => {
        let settle: () => void;
        try {
          const value = apply();
          settle = () => resolve(value);
        } catch (error) {
          settle = () => reject(error);
        }
        if (isAnswered) after(quickMs, settle);
        if (fault === 'dies after') process.isDead = true;
      };
      if (fault === 'throttled') {
        const busy = new ProvisionedThroughputExceededException({ message: 'Busy', $metadata: {} });
        return after(quickMs, () => reject(busy));
      }
      if (fault === 'dies before') {
        process.isDead = true;
        return;
      }
      const wayMs = fault === 'late' ? latestMs * delay : fault === 'slow' ? waitMs * 0.9 : quickMs;
      if (fault !== 'request lost') at(nowMs + wayMs, arrive);
      if (isAnswered || fault === 'dies after') return;
      process.isUnsure = true;
      after(waitMs, () => reject(lostAnswer()));
    });

  /** The tables as a process reaches them. */
  const databaseFor = (process: Process) =>
    databaseOf((command) => {
      const { input: sent } = command as { readonly input: Input };
      const input = mistake.input?.(sent) ?? sent;
      const changed =
        input === sent ? command : Object.assign(Object.create(Object.getPrototypeOf(command)), { input });
      const apply = () => {
        if (mistake.drops?.(sent)) return { Attributes: { used: 1 } };
        writer = { by: process, input: sent };
        try {
          const answer = memory.apply(changed);
          return mistake.reads ? mistake.reads(sent, answer) : answer;
        } finally {
          writer = undefined;
        }
      };
      const answer = call(process, apply, operationOf(command) === 'Update' ? lateMsMax : 0);
      return answer.catch((error: unknown) => {
        if (error instanceof ConditionalCheckFailedException) throw error;
        if (mistake.hidesLoss?.(sent)) return {};
        if (mistake.resends?.(sent)) return call(process, apply);
        throw error;
      });
    });

  return {
    memory,
    at,
    call,
    fateOf,
    nowMs: () => nowMs,
    isCalm: () => isCalm,
    /** Number of calls that have met a fault. */
    faults: () => met,
    /**
     * Begins a process.
     * @param skewMs how far its clock is ahead
     * @param spareMs how long before its end tables serve it no more
     */
    begin(
      name: string,
      { skewMs = 0, timeMs = Number.POSITIVE_INFINITY, spareMs = 0, group = name, isSafe = false } = {},
    ) {
      const sleep = (delayMs: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          signal?.addEventListener('abort', () => reject(signal.reason));
          at(nowMs + delayMs, () => process.isDead || resolve());
        });
      const clock = { nowMs: () => nowMs + skewMs, sleep };
      const process: Process = {
        name,
        group,
        clock,
        endsMs: nowMs + timeMs,
        isSafe,
        isDead: false,
        isUnsure: false,
        isDisturbed: false,
      };
      const services = {
        database: databaseFor(process),
        clock,
        random: () => 0.5,
        deadline: createDeadline(clock.nowMs() + timeMs - spareMs),
        tables: memory.tableNames,
      };
      return { process, services };
    },
    /** From now on nothing fails. */
    calm: () => {
      isCalm = true;
    },
    skipTo: (ms: number) => {
      nowMs = Math.max(nowMs, ms);
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
