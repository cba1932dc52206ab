/** The simulated network: every remote call passes through it and suffers the planned faults. */

import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import type { Database } from '../../lambda/aws/dynamodb/call';
import { remember } from './dynamodb-expressions';
import type { Actor, Scheduler } from './kernel';
import { type Input, operationOf } from './memory-dynamodb';

/** What happens to one message. Delays are in milliseconds. */
export type Fault =
  | { readonly kind: 'none' }
  /** It never arrives, and the sender learns no more than that it got no answer. */
  | { readonly kind: 'unsent' }
  /** Refused for being too many, certainly not applied. */
  | { readonly kind: 'throttled' }
  /** Applied, and the answer is lost. */
  | { readonly kind: 'unanswered' }
  /** Applied twice; the sender gets the second response. */
  | { readonly kind: 'twice' }
  /** The sender gets no answer; it is applied after the delay, perhaps when the sender is long dead. */
  | { readonly kind: 'late'; readonly delayMs: number }
  /** Applied and answered, and a copy of it is applied again after the delay. */
  | { readonly kind: 'copy'; readonly delayMs: number }
  /** The sender is paused for the delay before it gets the response. */
  | { readonly kind: 'pause'; readonly delayMs: number }
  | { readonly kind: 'crash-before' }
  | { readonly kind: 'crash-after' };

/** One message, as passed to a fault plan. */
export interface Message {
  readonly actor: Actor;
  /** The port method behind it. */
  readonly label: string;
  readonly isWrite: boolean;
}

/** Faults end at a moment of the test's choosing; what is on its way stays on its way. */
export interface Faults {
  of(message: Message): Fault;
  /** Time on one way, in milliseconds. */
  latencyMs(): number;
  /** Time before another attempt, in milliseconds. */
  pauseMs(): number;
  heal(): void;
  isHealed(): boolean;
}

export interface Network {
  /** Calls something remote. `apply` may run never, once or twice, now or later. */
  call<T>(actor: Actor, label: string, writes: boolean, apply: () => T): Promise<T>;
  /** The document client of an actor. */
  database(actor: Actor): Database;
}

export type Trace = (line: string) => void;

const lost = () => Object.assign(new Error('No answer came in time'), { name: 'TimeoutError' });
const throttle = () => new ThrottlingException({ message: 'Slow down', $metadata: { httpStatusCode: 400 } });

export function createNetwork(
  scheduler: Scheduler,
  faults: Faults,
  engine: { apply(command: unknown): unknown },
  trace: Trace | undefined,
): Network {
  const call = <T>(actor: Actor, label: string, writes: boolean, apply: () => T): Promise<T> => {
    if (!actor.isAlive()) return new Promise(() => undefined);
    const fault = faults.of({ actor, label, isWrite: writes });
    const say = (what: string) => trace?.(`${actor.name} ${label}${writes ? '!' : '?'} ${what}`);
    const run = (): (() => T) => {
      try {
        const value = apply();
        say(fault.kind === 'none' ? 'ok' : `ok (${fault.kind})`);
        return () => value;
      } catch (error) {
        say(`${(error as Error).name} (${fault.kind})`);
        return () => {
          throw error;
        };
      }
    };
    const dies = fault.kind === 'crash-before' || fault.kind === 'crash-after';
    if (fault.kind !== 'none')
      say(`will suffer ${fault.kind}${'delayMs' in fault ? ` ${fault.delayMs} ms` : ''}`);
    return actor.receive<T>((resolve, reject) => {
      const answer = (outcome: () => T, delayMs: number) =>
        scheduler.after(delayMs, () => {
          try {
            resolve(outcome());
          } catch (error) {
            reject(error);
          }
        });
      const arrive = (delayMs: number, then: (outcome: () => T) => void) =>
        scheduler.after(delayMs, () => then(run()));
      const there = faults.latencyMs();
      const back = faults.latencyMs();
      if (dies) actor.die();
      switch (fault.kind) {
        case 'none':
          return arrive(there, (outcome) => answer(outcome, back));
        case 'pause':
          return arrive(there, (outcome) => answer(outcome, back + fault.delayMs));
        case 'unsent':
          return scheduler.after(there + back, () => reject(lost()));
        case 'throttled':
          return scheduler.after(there + back, () => reject(throttle()));
        case 'unanswered':
          return arrive(there, () => scheduler.after(back, () => reject(lost())));
        case 'twice':
          return arrive(there, () => arrive(1, (outcome) => answer(outcome, back)));
        case 'late':
          arrive(there + fault.delayMs, () => undefined);
          return scheduler.after(there + back, () => reject(lost()));
        case 'copy':
          arrive(there, (outcome) => answer(outcome, back));
          return arrive(there + fault.delayMs, () => undefined);
        case 'crash-before':
          return undefined;
        case 'crash-after':
          return arrive(there, () => undefined);
      }
    });
  };

  return {
    call,
    database: (actor) => ({
      send: ((command: unknown) =>
        call(actor, labelOf(command), isWrite(command), () => engine.apply(command))) as Database['send'],
      pause: () => actor.clock.sleep(faults.pauseMs()),
    }),
  };
}

/** How an update begins, and what it is called. */
const updates: readonly (readonly [start: string, label: string])[] = [
  ['SET #op = :op', 'reserve'],
  ['SET st = :leased', 'acquire'],
  ['SET st = :ready', 'finalize'],
  ['SET st = :failed', 'fail'],
  ['SET claim', 'claim'],
  ['SET settled', 'markSettled'],
  ['SET dueBy', 'takeDelivery'],
  ['SET st = :idle', 'markLost'],
  ['ADD taken :one, granted', 'grant'],
  ['ADD taken :minus SET returned', 'giveBackSurplus'],
  ['REMOVE sweepAt', 'unlist'],
  ['ADD taken :one', 'charge'],
  ['ADD taken :minus', 'giveBack'],
  ['ADD ops', 'consumeModel'],
  ['ADD #w0', 'takeWindows'],
  ['SET s = :pending', 'beginPaying'],
  ['SET s = :paid', 'settlePaid'],
  ['REMOVE s', 'releasePaid'],
];

const labelOfUpdate = remember((text) => updates.find(([start]) => text.startsWith(start))?.[1] ?? 'update');

/** The port method behind a command. */
function labelOf(command: unknown): string {
  const { input } = command as { readonly input: Input };
  const operation = operationOf(command);
  if (operation === 'Update') {
    const text = input.UpdateExpression ?? '';
    const to = input.ExpressionAttributeValues?.[':to'];
    if (text.startsWith('SET #op = :to')) return to === 'C' ? 'commit' : 'refund';
    if (text.startsWith('SET st = :to')) return to === 'IDLE' ? 'release' : 'abandon';
    return labelOfUpdate(text);
  }
  if (operation === 'Get') {
    if (input.TableName === 'generationIndex') return 'read';
    if (String(input.Key?.['pk']).startsWith('PAID#')) return 'readPaid';
    return input.ProjectionExpression === undefined ? 'pendingOf' : 'rateLimit';
  }
  if (operation === 'Query') return input.IndexName === 'byImageId' ? 'byImageId' : 'publicOf';
  if (operation === 'Put') return 'put';
  return operation === 'Scan' ? 'itemsDue' : 'command';
}

/** Whether a message changes something. */
function isWrite(command: unknown): boolean {
  const operation = operationOf(command);
  return operation === 'Update' || operation === 'Put';
}
