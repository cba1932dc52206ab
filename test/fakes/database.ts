/** Use this database where a test is about what tables do: an embedded DynamoDB with those of the service. */

import { connectDatabase, createTables, startTables } from '../../local/tables';

export type Engine = Awaited<ReturnType<typeof startEngine>>;

/** Starts an engine of its own. */
export async function startEngine() {
  const { endpoint, stop } = await startTables();
  const database = connectDatabase(endpoint);
  const { client } = database;
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
export function faultyDatabase({ database }: Pick<Engine, 'database'>, fault: Fault): Engine['database'] {
  const client = Object.create(database.client) as typeof database.client;
  client.send = ((command: { readonly input: CallInput }, options: object) =>
    fault(command.input, () => database.client.send(command as never, options))) as typeof client.send;
  return { ...database, client, silentUntilMs: new Map() };
}
