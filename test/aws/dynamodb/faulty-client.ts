/** A transport to DynamoDB whose calls fail like those over a network or to a throttled table. */

import {
  InternalServerError,
  ResourceNotFoundException,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { operationOf } from '../../fakes/memory-database';

/**
 * `lost`: applied, without a response. `throttled`: not applied, with a throttling error. `dropped`: not
 * applied, but the response is lost. `broken`: not applied, answered with a server's fault. `rejected`: not
 * applied, and wrong for good.
 */
export type Fault = 'lost' | 'throttled' | 'dropped' | 'broken' | 'rejected';

type Database = Pick<DynamoDBDocumentClient, 'send'>;

export interface FaultyClient {
  readonly client: Database;
  /** The fates of the next calls, in order; all is well after them. */
  readonly faults: (Fault | 'fine')[];
  /** Operations sent so far. */
  readonly sent: readonly string[];
  /** Returns the input of the last call. */
  lastInput(): unknown;
}

export function createFaultyClient(real: Database): FaultyClient {
  const faults: (Fault | 'fine')[] = [];
  const sent: string[] = [];
  let last: unknown;
  const send = async (command: GetCommand) => {
    sent.push(operationOf(command));
    last = command.input;
    const fault = faults.shift() ?? 'fine';
    if (fault === 'fine') return real.send(command);
    if (fault === 'lost') await real.send(command);
    throw errorOf(fault);
  };
  return { client: { send: send as Database['send'] }, faults, sent, lastInput: () => last };
}

function errorOf(fault: Fault): Error {
  const message = `The test made this call end ${fault}.`;
  const answered = (httpStatusCode: number) => ({ message, $metadata: { httpStatusCode } });
  switch (fault) {
    case 'throttled':
      return new ThrottlingException(answered(400));
    case 'broken':
      return new InternalServerError(answered(500));
    case 'rejected':
      return new ResourceNotFoundException(answered(400));
    default:
      return new Error(message);
  }
}
