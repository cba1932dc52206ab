/** A Model Context Protocol server over stdio, one message a line: builds URLs itself and leaves the rest to the service. */

import { createInterface } from 'node:readline';
import { routes } from '../../lambda/contract/routes';
import { clientTimeoutMs } from '../../lambda/contract/timeouts';
import {
  answerMessage,
  type JsonRpcResponse,
  type McpBackend,
  unreadable,
} from '../../lambda/pages/mcp/protocol';
import { buildUrl, type ToolResult } from '../../lambda/pages/mcp/tools';
import { exitCodes, Failure } from '../failure';

export interface StdioOptions {
  /** Root of the service, without a trailing slash. */
  readonly rootUrl: string;
  readonly key?: string;
  /** `id:secret` of a signer. */
  readonly signer?: string;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Resolves when the input ends and every message is answered. @throws `Failure` for a malformed signer */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { rootUrl, input, output } = options;
  const sign = options.signer === undefined ? undefined : await signerOf(options.signer);
  const backend: McpBackend = {
    rootUrl,
    guide: async () =>
      (await fetch(`${rootUrl}${routes.llms}`, { signal: AbortSignal.timeout(clientTimeoutMs) })).text(),
    call: (tool, given) =>
      tool === 'image_url' ? buildUrl(rootUrl, given, sign) : callService(options, tool, given),
  };
  const onFault = (error: unknown) => process.stderr.write(`${(error as Error).message}\n`);
  const send = (response: JsonRpcResponse | undefined) => {
    if (response) output.write(`${JSON.stringify(response)}\n`);
  };
  const answering = new Set<Promise<void>>();
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const answer = answerLine(line, backend, onFault).then(send);
    answering.add(answer);
    answer.finally(() => answering.delete(answer)).catch(onFault);
  }
  await Promise.all(answering);
}

async function answerLine(
  line: string,
  backend: McpBackend,
  onFault: (error: unknown) => void,
): Promise<JsonRpcResponse | undefined> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return unreadable();
  }
  return answerMessage(message, backend, onFault);
}

/** Has the service run a tool. @throws when it does not answer */
async function callService(
  { rootUrl, key }: StdioOptions,
  name: string,
  given: unknown,
): Promise<ToolResult> {
  const response = await fetch(`${rootUrl}${routes.mcp}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key && { 'X-API-Key': key }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
    signal: AbortSignal.timeout(clientTimeoutMs),
  });
  const answer = (await response.json()) as {
    readonly detail?: string;
    readonly error?: { readonly message: string };
    readonly result?: {
      readonly isError?: boolean;
      readonly structuredContent?: Readonly<Record<string, unknown>>;
      readonly content: readonly { readonly text: string }[];
    };
  };
  const { result } = answer;
  const text =
    result?.content[0]?.text ?? answer.error?.message ?? answer.detail ?? `HTTP ${response.status}`;
  if (!result?.structuredContent || result.isError) return { failure: text };
  return { content: result.structuredContent, summary: text };
}

async function signerOf(signer: string): Promise<(url: string) => Promise<string>> {
  const { createSigner } = await import('../../packages/client/src/signer');
  const [id = '', secret = ''] = signer.split(':');
  try {
    const { sign } = createSigner({ id, secret });
    // A secret that was mistyped is noticed when it is used.
    await sign(`https://img.example.com${routes.image}?query=x`);
    return sign;
  } catch {
    throw new Failure(
      exitCodes.usage,
      'IMAGE_REDIRECT_SIGNER must be the id and the secret of one signer, sg_…:sgs_….',
    );
  }
}
