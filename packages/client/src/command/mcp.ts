/** `mcp`: offers the service to models over stdio; passes each message of the Model Context Protocol, one a line, on to its `/mcp`. */

import { createInterface } from 'node:readline';
import { keyFor, requiredBase } from './environment';

/** Longest time that the service may take for one message. */
const timeoutMs = 60_000;

/** What is read of a message; whatever else it is, the service says what is wrong with it. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly protocolVersion?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** Resolves with exit code 0 when standard input ends and every message is answered. @throws `UsageError` where the environment names no service */
export async function mcp(): Promise<number> {
  const base = requiredBase();
  const answering = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const done = answerOf(base, line).then((text) => {
      if (text !== undefined) process.stdout.write(`${text}\n`);
      answering.delete(done);
    });
    answering.add(done);
  }
  await Promise.all(answering);
  return 0;
}

async function answerOf(base: string, line: string): Promise<string | undefined> {
  const message = messageIn(line);
  let text: string;
  try {
    text = await post(base, message, line);
  } catch (error) {
    const { message: why, cause } = error as Error;
    return failed(message, `${base} cannot be reached: ${cause instanceof Error ? cause.message : why}`);
  }
  if (text === '' || (message.id === undefined && message.method !== undefined)) return undefined;
  const body = messageIn(text) as { readonly jsonrpc?: string; readonly detail?: string };
  if (body.jsonrpc === undefined) return failed(message, body.detail ?? `${base} has no answer.`);
  return text;
}

async function post(base: string, { method, params }: Message, line: string): Promise<string> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const name = params?.name ?? params?.uri;
  // From revision 2026-07-28 on, headers repeat these.
  const repeated = { 'MCP-Protocol-Version': version, 'Mcp-Method': method, 'Mcp-Name': name };
  const { key } = keyFor(base);
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(version === undefined ? {} : headersOf(repeated)),
      ...(key && { 'X-API-Key': key }),
    },
    body: line,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return (await response.text()).trim();
}

function headersOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const isHeader = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string' && /^[ -~]*$/.test(entry[1]);
  return Object.fromEntries(Object.entries(values).filter(isHeader));
}

function messageIn(line: string): Message {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

/** A failed call is a result, which the model sees; whatever else fails is an error. */
function failed({ id, method, params }: Message, text: string): string | undefined {
  if (id === undefined) return undefined;
  const answer = (about: object) => JSON.stringify({ jsonrpc: '2.0', id, ...about });
  if (method === 'tools/call')
    return answer({ result: { resultType: 'complete', content: [{ type: 'text', text }], isError: true } });
  // A host keeps the connection to a server that starts, and the service may be started later.
  if (method === 'initialize')
    return answer({
      result: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'image-redirect', version: '1.0.0' },
      },
    });
  return answer({ error: { code: -32_603, message: text } });
}
