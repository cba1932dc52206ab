/** Answers `POST /mcp`: one message of the Model Context Protocol in, its response out, as JSON. */

import { batchBounds } from '../../contract/batch';
import { callerOf, type HttpRequest, keyHolderOf } from '../../http/http-request';
import type { HttpResult } from '../../http/http-response';
import { asksForCredit } from '../../images/credit';
import { detailOf } from '../../problems/problem';
import { type BatchDeps, type BatchResult, findImages, readJsonBody } from '../batch';
import type { Credits } from '../credits';
import { buildUrl } from './build-url';
import { answerMessage, type McpBackend, type ToolResult, unreadable } from './protocol';

export interface McpDeps extends BatchDeps {
  readonly credits: Credits;
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
    async call(tool, input) {
      switch (tool) {
        case 'image_url':
          return buildUrl(rootUrl, input);
        case 'find_images':
          return find(deps, request, input);
        case 'credits':
          return creditsOf(deps, request, input);
      }
    },
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

async function find(deps: McpDeps, request: HttpRequest, input: unknown): Promise<ToolResult> {
  const result = await findImages(deps, request, input);
  if ('refusal' in result) return { failure: detailOf(result.refusal) };
  return { content: { images: result.images }, summary: summaryOf(result.images) };
}

/** A line for each slot: what the image shows and whom to credit, or what went wrong. */
function summaryOf(images: BatchResult['images']): string {
  const lines = Object.entries(images).map(([slot, image]) => {
    if ('code' in image) return `${slot}: ${image.detail}`;
    const { attribution, alt } = image;
    return `${slot}: ${alt}${asksForCredit(attribution.license) ? ` (${attribution.creditLine})` : ''}`;
  });
  return lines.join('\n');
}

async function creditsOf(deps: McpDeps, request: HttpRequest, input: unknown): Promise<ToolResult> {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return { failure: detailOf(caller.refusal) };
  const { picks } = (input ?? {}) as { readonly picks?: unknown };
  const isPick = (pick: unknown): pick is string => typeof pick === 'string' && /^[\w-]{1,64}$/.test(pick);
  const { imagesMax } = batchBounds;
  if (!Array.isArray(picks) || picks.length < 1 || picks.length > imagesMax || !picks.every(isPick))
    return { failure: `picks: a list of 1 to ${imagesMax} picks of find_images.` };
  const credits = await Promise.all(
    picks.map(async (pick) => [pick, (await deps.credits.find(pick)) ?? null] as const),
  );
  const lines = credits.flatMap(([pick, credit]) => (credit ? [`${pick}: ${credit.creditLine}`] : []));
  const unknown = credits.length - lines.length;
  if (unknown > 0) lines.push(`${unknown} unknown ${unknown === 1 ? 'pick' : 'picks'}`);
  return { content: { credits: Object.fromEntries(credits) }, summary: lines.join('\n') };
}
