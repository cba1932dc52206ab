/** A client of DynamoDB that notes its calls and loses answers, as a network does. */

import type { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { getOperation, makeLostAnswer } from '../../fakes/memory-database';

type Database = Pick<DynamoDBDocumentClient, 'send'>;

export interface FaultyClient {
  readonly client: Database;
  /** How many of the next answers are lost. The calls are applied. */
  answersToLose: number;
  /** Operations and inputs sent so far. */
  readonly sentCommands: { readonly operation: string; readonly input: unknown }[];
}

export function createFaultyClient(real: Database): FaultyClient {
  const faulty: FaultyClient = {
    client: { send: send as Database['send'] },
    answersToLose: 0,
    sentCommands: [],
  };
  async function send(command: GetCommand) {
    faulty.sentCommands.push({ operation: getOperation(command), input: command.input });
    const answer = await real.send(command);
    if (faulty.answersToLose === 0) return answer;
    faulty.answersToLose -= 1;
    throw makeLostAnswer();
  }
  return faulty;
}
