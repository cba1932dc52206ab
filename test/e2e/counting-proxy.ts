/** A proxy before DynamoDB. It records each call with its depth, and makes tables fail. */

import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Listening, openServer } from '../../local/http';

export interface CountedCall {
  /** `GetItem`, `UpdateItem`, … */
  readonly operation: string;
  readonly table: string;
  /** Calls that had been answered when this one was sent: 0 for the first ones of a request. */
  readonly depth: number;
}

/** The fault of a table. */
type TableFault = 'failing' | 'down' | 'slow' | 'throttled' | 'hanging' | 'losing its answers';

/** Milliseconds before a slow answer: longer than a healthy one takes, shorter than an attempt may take. */
const slowMs = 50;

export async function startCountingProxy(endpoint: string) {
  let calls: CountedCall[] = [];
  let answered = 0;
  let fault: TableFault | undefined;
  let faultyTables: readonly string[] | undefined;
  const forwarding = new Set<ClientRequest>();
  const proxy: Listening = await openServer(0, async (incoming, outgoing) => {
    const { socket } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? 'unknown';
    const { TableName = '' } = JSON.parse(body.toString()) as { readonly TableName?: string };
    calls.push({ operation, table: TableName, depth: answered });
    const tableFault = faultyTables?.includes(TableName) === false ? undefined : fault;
    if (tableFault === 'down') return void socket.destroy();
    // The caller gives up.
    if (tableFault === 'hanging') return;
    if (tableFault === 'failing') return void outgoing.writeHead(500).end('{"__type":"InternalServerError"}');
    if (tableFault === 'throttled')
      return void outgoing.writeHead(400).end('{"__type":"ProvisionedThroughputExceededException"}');
    if (tableFault === 'slow') await setTimeout(slowMs);
    const forwarded = request(
      endpoint,
      { method: incoming.method, headers: incoming.headers },
      async (response) => {
        const answer = Buffer.concat(await response.toArray());
        if (tableFault === 'losing its answers') return void socket.destroy();
        answered += 1;
        outgoing.writeHead(response.statusCode ?? 500, response.headers).end(answer);
      },
    );
    forwarding.add(forwarded);
    forwarded.once('close', () => forwarding.delete(forwarded));
    forwarded.end(body);
  });
  return {
    url: proxy.url,
    /** The calls since the previous call of this function. */
    take: (): readonly CountedCall[] => {
      const recorded = calls;
      calls = [];
      answered = 0;
      return recorded;
    },
    /** Sets the fault of these tables, or of all, and ends the fault of the others. */
    break: (newFault: TableFault | undefined, tables?: readonly string[]) => {
      fault = newFault;
      faultyTables = tables;
    },
    /** Resolves when the table has carried out all calls, also those that the caller has given up. */
    settle: () => Promise.all([...forwarding].map((call) => once(call, 'close'))),
    stop: proxy.stop,
  };
}
