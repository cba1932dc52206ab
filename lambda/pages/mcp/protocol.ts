/** Answers messages of the Model Context Protocol: tools and one resource, without sessions, over any transport. */

import { type ToolName, type ToolResult, toolList, tools } from './tools';

export interface McpBackend {
  readonly call: (tool: ToolName, input: unknown) => Promise<ToolResult>;
  /** Text of the guide, `llms.txt`. */
  readonly guide: () => Promise<string>;
  /** Root of the service, without a trailing slash. */
  readonly rootUrl: string;
}

/** The newest first: it is offered to a client that asks for another one. */
const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const parseError = -32_700;
const invalidRequest = -32_600;
const methodNotFound = -32_601;
const invalidParams = -32_602;
const internalError = -32_603;

type Id = string | number | null;
export type JsonRpcResponse = { readonly jsonrpc: '2.0'; readonly id: Id } & (
  | { readonly result: object }
  | { readonly error: { readonly code: number; readonly message: string } }
);

/** An error that is sent to the client. */
class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The answer to a text that is no JSON. */
export function unreadable(): JsonRpcResponse {
  return {
    jsonrpc: '2.0',
    id: null,
    error: { code: parseError, message: 'The message is no JSON document.' },
  };
}

/**
 * @param onFault receives faults, of which the client learns only that there was one
 * @returns `undefined` for a notification, which is not answered
 */
export async function answerMessage(
  message: unknown,
  backend: McpBackend,
  onFault: (error: unknown) => void,
): Promise<JsonRpcResponse | undefined> {
  const { jsonrpc, id, method, params } = (message ?? {}) as Readonly<Record<string, unknown>>;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (jsonrpc !== '2.0' || (id !== undefined && !hasId))
    return refused(null, invalidRequest, 'No JSON-RPC 2.0 request.');
  if (typeof method !== 'string') {
    // A response, of which this server expects none.
    if (hasId && ('result' in (message as object) || 'error' in (message as object))) return undefined;
    return refused(hasId ? id : null, invalidRequest, 'No JSON-RPC 2.0 request.');
  }
  if (!hasId) return undefined;
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(method, fieldsOf(params), backend) };
  } catch (error) {
    if (error instanceof RpcError) return refused(id, error.code, error.message);
    onFault(error);
    return refused(id, internalError, 'An unexpected error occurred.');
  }
}

function refused(id: Id, code: number, message: string): JsonRpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

async function resultOf(method: string, params: Fields, backend: McpBackend): Promise<object> {
  const guideUri = `${backend.rootUrl}/llms.txt`;
  switch (method) {
    case 'initialize':
      return {
        protocolVersion:
          protocolVersions.find((each) => each === params['protocolVersion']) ?? protocolVersions[0],
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'image-redirect', version: '1.0.0' },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: await toolList() };
    case 'tools/call':
      return call(params, backend);
    case 'resources/list':
      return {
        resources: [
          { uri: guideUri, name: 'guide', title: 'How to use the images in a page', mimeType: 'text/plain' },
        ],
      };
    case 'resources/templates/list':
      return { resourceTemplates: [] };
    case 'resources/read':
      if (params['uri'] !== guideUri) throw new RpcError(-32_002, 'No such resource.');
      return { contents: [{ uri: guideUri, mimeType: 'text/plain', text: await backend.guide() }] };
    default:
      throw new RpcError(methodNotFound, 'No such method.');
  }
}

async function call({ name, arguments: input }: Fields, backend: McpBackend): Promise<object> {
  const names = Object.keys(tools) as ToolName[];
  const tool = names.find((each) => each === name);
  if (!tool) throw new RpcError(invalidParams, `The tools are ${names.join(', ')}.`);
  const result = await backend.call(tool, input);
  if ('failure' in result) return { content: [{ type: 'text', text: result.failure }], isError: true };
  // At most half of the structured content, so that a client that passes both on spends little on the second one.
  const charactersMax = Math.floor(JSON.stringify(result.content).length / 2);
  const characters = [...result.summary];
  const isCut = !result.isWhole && characters.length > charactersMax;
  const text = isCut ? `${characters.slice(0, charactersMax - 1).join('')}…` : result.summary;
  return { content: [{ type: 'text', text }], structuredContent: result.content };
}
