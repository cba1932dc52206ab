/** Answers `POST /mcp`: one message of the Model Context Protocol in, its response out, as JSON. */

import { batchBounds } from '../../contract/batch';
import { callerOf, type HttpRequest } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { readJsonBody } from '../batch';
import type { PageDeps } from '../fill-page';
import { answerMessage, type McpBackend, unreadable } from './protocol';
import { tools } from './tools';

export interface McpDeps extends PageDeps {
  /** The documentation as plain text, for a root URL of the service. */
  readonly guide: (rootUrl: string) => string;
}

export async function postMcp(deps: McpDeps, request: HttpRequest): Promise<HttpResult> {
  // Without a key the tools can be listed and URLs built, so only what is published is refused as a whole.
  const caller = callerOf(request);
  if ('refusal' in caller && caller.refusal.code === 'credential_not_allowed') return caller;
  const body = readJsonBody(request, batchBounds.bytesMax);
  if ('refusal' in body && body.refusal.code !== 'invalid_parameter') return body;
  const { rootUrl, requestId } = request;
  const backend: McpBackend = {
    rootUrl,
    guide: async () => deps.guide(rootUrl),
    call: async (tool, input) => tools[tool].call(deps, request, input),
  };
  const onFault = (error: unknown) => deps.telemetry.error('A request failed', error, { requestId });
  const response = 'refusal' in body ? unreadable() : await answerMessage(body.json, backend, onFault);
  return {
    status: response ? 200 : 202,
    headers: {
      'Cache-Control': 'no-store',
      ...(response ? { 'Content-Type': 'application/json; charset=utf-8' } : {}),
    },
    body: response ? JSON.stringify(response) : '',
  };
}
