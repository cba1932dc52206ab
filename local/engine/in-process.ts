/** Answers the calls of this process from dynalite's store: the same JSON as over its port, without HTTP around it. */

import { createRequire } from 'node:module';
import type { Carrier, HttpAnswer } from '../../lambda/aws/dynamodb/lean/carrier';
import type { Store } from './dynalite-store';

const load = createRequire(__filename);

type Data = Readonly<Record<string, unknown>>;

/** How dynalite refuses a call: by what it throws or passes on. */
interface EngineError {
  readonly statusCode?: number;
  readonly body?: object;
}

interface Validations {
  checkTypes(data: Data, types: object): Data;
  checkValidations(data: Data, types: object, custom: unknown, store: Store): void;
}

/** One operation of the engine: its checks and its work. */
interface Operation {
  readonly types: object;
  readonly custom: unknown;
  act(store: Store, data: Data, done: (error: EngineError | null, output?: object) => void): void;
}

const operations = new Map<string, Operation>();

/** @param name `GetItem`, and so on, as adapters name it */
function operationOf(name: string): Operation {
  const known = operations.get(name);
  if (known) return known;
  const file = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const { types, custom } = load(`dynalite/validations/${file}`) as Operation;
  const operation = { types, custom, act: load(`dynalite/actions/${file}`) as Operation['act'] };
  operations.set(name, operation);
  return operation;
}

export function createInProcessCarrier(store: Store): Carrier {
  const { checkTypes, checkValidations } = load('dynalite/validations') as Validations;
  const perform = (name: string, body: string) =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const refuse = (error: EngineError) =>
        error.statusCode === undefined ? reject(error) : resolve(answerOf(error.statusCode, error.body));
      try {
        const { types, custom, act } = operationOf(name);
        const data = checkTypes(JSON.parse(body) as Data, types);
        checkValidations(data, types, custom, store);
        act(store, data, (error, output) => (error ? refuse(error) : resolve(answerOf(200, output))));
      } catch (error) {
        refuse(error as EngineError);
      }
    });
  return {
    carry: ({ operation, body, abortSignal }) =>
      abortSignal ? unlessAborted(abortSignal, () => perform(operation, body)) : perform(operation, body),
    destroy: () => undefined,
  };
}

/** At once, because what is answered is the store's own and changes with the next call. */
function answerOf(statusCode: number, output: object | undefined): HttpAnswer {
  return { statusCode, headers: {}, text: JSON.stringify(output) };
}

/** What the engine does cannot be taken back; as over a connection, its answer is not waited for any longer. */
function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
