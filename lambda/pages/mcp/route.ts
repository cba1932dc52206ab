/** Responds to `POST /mcp`, which has one message of an MCP client in any revision of the protocol. */

import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedOrigins,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { version } from '../../../package.json';
import { pageBounds } from '../../contract/request-bounds';
import { routes } from '../../contract/routes';
import { type HttpRequest, requireApiCaller } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { readJsonBody } from '../../http/read-body';
import { refuseByError } from '../../problems/problem';
import type { Services } from '../../services/services';
import { listTools, mcpTools, writeToolFailure } from './tools';

const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'origin'] as const;
const handlerOptions = { legacy: 'reject', maxSubscriptions: 0 } as const;
const acceptedTypes = 'application/json, text/event-stream';

/**
 * Responds to a message. Callers without a key can list tools, build URLs and find stock images.
 * @param guideText the documentation, which is a resource of the server
 */
export async function respondToMessage(
  services: Services,
  request: HttpRequest,
  guideText: string,
): Promise<HttpResult> {
  const caller = requireApiCaller(request);
  if ('refusal' in caller) return caller;
  const body = readJsonBody(request, pageBounds.bytesMax);
  if ('refusal' in body && body.refusal.code !== 'invalid_parameter') return body;
  const message = 'json' in body ? body.json : undefined;
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: acceptedTypes });
  for (const name of protocolHeaders) {
    const value = request.getHeader(name);
    if (value !== undefined) headers.set(name, value);
  }
  const webRequest = new Request(`${request.rootUrl}${routes.mcp}`, { method: 'POST', headers });
  const createMessageServer = () => createServer(services, request, guideText);
  const response = await respondBySdk(createMessageServer, request, webRequest, message);
  const contentType = response.headers.get('content-type');
  return {
    status: response.status,
    headers: { 'Cache-Control': 'no-store', ...(contentType ? { 'Content-Type': contentType } : {}) },
    body: await response.text(),
  };
}

/** Lets the SDK respond to a message. @param message `undefined` if the body is no JSON */
async function respondBySdk(
  createMessageServer: () => Server,
  request: HttpRequest,
  webRequest: Request,
  message: unknown,
): Promise<Response> {
  const { hostname } = new URL(request.rootUrl);
  const originRefusal = originValidationResponse(webRequest, [...localhostAllowedOrigins(), hostname]);
  if (originRefusal) return originRefusal;
  // The first revision allows lists of messages. They are refused, because a list has no limit.
  if (Array.isArray(message)) {
    const error = { code: ProtocolErrorCode.InvalidRequest, message: 'Send one message at a time.' };
    return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
  }
  if (!(await isLegacyRequest(webRequest, message)))
    return createMcpHandler(createMessageServer, handlerOptions).fetch(webRequest, { parsedBody: message });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await createMessageServer().connect(transport);
  return transport.handleRequest(webRequest, { parsedBody: message });
}

function createServer(services: Services, request: HttpRequest, guideText: string): Server {
  const caching = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
  const guide = { uri: `${request.rootUrl}${routes.llms}`, mimeType: 'text/plain' };
  const server = new Server(
    { name: 'image-redirect', version },
    {
      capabilities: { tools: {}, resources: {} },
      cacheHints: { 'tools/list': caching, 'resources/list': caching, 'resources/read': caching },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }) => {
    const tool = Object.hasOwn(mcpTools, name) ? mcpTools[name] : undefined;
    const names = Object.keys(mcpTools).join(', ');
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The tools are ${names}.`);
    try {
      return await tool.call(services, request, input);
    } catch (error) {
      services.telemetry.error('A request failed', error, { requestId: request.requestId });
      const refusal = refuseByError(error);
      if (refusal.code !== 'internal_error') return writeToolFailure(services, { refusal });
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'An unexpected error occurred.');
    }
  });
  const title = 'How to use the images in a page';
  server.setRequestHandler('resources/list', () => ({ resources: [{ ...guide, name: 'guide', title }] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri !== guide.uri) throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, 'No such resource.');
    return { contents: [{ ...guide, text: guideText }] };
  });
  return server;
}
