/** A client of DynamoDB that notes its calls and loses answers, as a network does. */

import type { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { getOperation, makeLostAnswer } from '../../fakes/memory-database';

type Database = Pick<DynamoDBDocumentClient, 'send'>;

export interface FaultyClient {
  readonly client: Database;
  /** How many of the next answers are lost. The calls are applied. */
  lost: number;
  /** Operations and inputs sent so far. */
  readonly sent: { readonly operation: string; readonly input: unknown }[];
}

export function createFaultyClient(real: Database): FaultyClient {
  const faulty: FaultyClient = { client: { send: send as Database['send'] }, lost: 0, sent: [] };
  async function send(command: GetCommand) {
    faulty.sent.push({ operation: getOperation(command), input: command.input });
    const answer = await real.send(command);
    if (faulty.lost === 0) return answer;
    faulty.lost -= 1;
    throw makeLostAnswer();
  }
  return faulty;
}
