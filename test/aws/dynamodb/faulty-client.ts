/** A transport to DynamoDB whose calls fail like those over a network or to a throttled table. */

import type { Database } from '../../../lambda/aws/dynamodb/call';

/**
 * `lost`: applied, without a response. `throttled`: not applied, with a throttling error. `dropped`: not
 * applied, but the response is lost. `broken`: not applied, answered with a server's fault. `rejected`: not applied, and wrong
 * for good.
 */
export type Fault = 'lost' | 'throttled' | 'dropped' | 'broken' | 'rejected';

export interface FaultyClient {
  readonly client: Database;
  /** What happens to the next calls, in order; all is well after them. */
  readonly faults: (Fault | 'fine')[];
  /** Operations sent so far. */
  readonly sent: readonly string[];
  /** What was in the last one. */
  lastInput(): unknown;
}

export function createFaultyClient(real: Database): FaultyClient {
  const faults: (Fault | 'fine')[] = [];
  const sent: string[] = [];
  let last: unknown;
  const send: Database['send'] = async (command, options) => {
    sent.push(command.operation);
    last = command.input;
    const fault = faults.shift() ?? 'fine';
    if (fault === 'fine') return real.send(command, options);
    if (fault === 'lost') await real.send(command, options);
    throw errorOf(fault);
  };
  return { client: { send }, faults, sent, lastInput: () => last };
}

function errorOf(fault: Fault): Error {
  const [name, httpStatusCode] = {
    lost: ['TimeoutError', undefined],
    dropped: ['Error', undefined],
    broken: ['InternalServerError', 500],
    throttled: ['ThrottlingException', 400],
    rejected: ['ValidationException', 400],
  }[fault] as [string, number | undefined];
  return Object.assign(new Error(`The test made this call end ${fault}.`), {
    name,
    $metadata: { httpStatusCode },
  });
}
