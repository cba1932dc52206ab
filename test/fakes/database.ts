/** Use this database where a test is about what tables do: an embedded DynamoDB with those of the service. */

import { makeClientDefaults } from '../../lambda/aws/agent';
import { connectDynamoDb } from '../../lambda/aws/dynamodb';
import { createTables, startTables } from '../../local/tables';

export type Engine = Awaited<ReturnType<typeof startEngine>>;

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/**
 * Starts an engine of its own. Its calls wait for their answers: timeouts count real time, so on a busy machine
 * they would end calls, whose repetition then waits for a virtual clock.
 */
export async function startEngine() {
  const { endpoint, stop } = await startTables();
  const requestHandler = { ...makeClientDefaults().requestHandler, connectionTimeout: 0 };
  const database = connectDynamoDb({ endpoint, region: 'local', credentials, requestHandler });
  const { client } = database;
  const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
  client.send = ((command: unknown) => send(command)) as typeof client.send;
  const tableNames = await createTables(client);
  return {
    endpoint,
    client,
    database,
    tableNames,
    stop: async () => {
      client.destroy();
      await stop();
    },
  };
}

/** Decides what becomes of one call: sends it, or not, or sends it and loses the answer. */
export type Fault = (input: CallInput, send: () => Promise<unknown>) => Promise<unknown>;

/** The input of a command, for tests. */
export interface CallInput {
  readonly Key?: { readonly pk: string };
  readonly UpdateExpression?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
}

/** The database of another process on the same tables, each of whose calls a test decides about. */
export function createFaultyDatabase(
  { database }: Pick<Engine, 'database'>,
  fault: Fault,
): Engine['database'] {
  const client = Object.create(database.client) as typeof database.client;
  client.send = ((command: { readonly input: CallInput }, options: object) =>
    fault(command.input, () => database.client.send(command as never, options))) as typeof client.send;
  return { ...database, client, silentUntilMs: new Map() };
}
