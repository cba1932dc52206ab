/** The log of the local service for people: one line a request, and one for each error of a function. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { routes } from '../lambda/contract/routes';
import { byFullName } from '../lambda/requests/parameter-names';
import { rawRequestOf, sizeOf } from '../lambda/requests/parse-request';
import { readPathForm } from '../lambda/requests/path-form';

/**
 * What became of a request: `302 HIT 42 ms 1200x800 mountain lake · openverse`. Without an image it ends with its code, and
 * a request for something else has its method and path in place of size and words. No query of another parameter is shown,
 * as a key may stand in it.
 */
export function requestLine(
  method: string,
  target: string,
  { statusCode, headers = {}, body }: Pick<APIGatewayProxyResult, 'statusCode' | 'headers' | 'body'>,
  tookMs: number,
): string {
  const what = imageIn(target) ?? `${method} ${target.split('?')[0]}`;
  const words = [statusCode, headers['X-Cache'], `${Math.round(tookMs)} ms`, what].filter(Boolean).join(' ');
  const end = statusCode >= 400 ? (headers['X-Image-Fallback'] ?? memberOf(body, 'code')) : providerOf(body);
  return end ? `${words} · ${end}` : words;
}

/** Size and words of a request for an image. */
function imageIn(target: string): string | undefined {
  const { pathname, searchParams } = new URL(target, 'http://local');
  const isById = pathname.startsWith(routes.permalink.replace('{id}', ''));
  if (isById || (pathname !== routes.image && !pathname.startsWith(`${routes.image}/`))) return undefined;
  const query = byFullName(
    Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)])),
  );
  const spec = pathname.slice(routes.image.length + 1);
  const raw = rawRequestOf({ pathParameters: spec === '' ? {} : { spec }, query });
  const { widthPx, heightPx } = sizeOf(raw);
  const path = spec === '' ? undefined : readPathForm(spec);
  const words = (path && 'query' in path ? path.query : undefined) ?? query['query']?.[0] ?? '';
  return `${widthPx}x${heightPx} ${words.replace(/\s+/g, ' ').slice(0, 80)}`.trimEnd();
}

function providerOf(body: string): string | undefined {
  const { providerName } = (memberOf(body, 'attribution') ?? {}) as { readonly providerName?: string };
  return providerName?.toLowerCase();
}

/** A member of a JSON object; `undefined` for any other text. */
function memberOf(body: string, name: string): unknown {
  try {
    return (JSON.parse(body) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/**
 * A line of the functions' log for people: what an error says. Everything else the functions log is for `--json-logs`.
 * @returns `undefined` where there is nothing to show
 */
export function errorLine(line: string): string | undefined {
  if (memberOf(line, 'level') !== 'error') return undefined;
  const { message = '' } = (memberOf(line, 'error') ?? {}) as { readonly message?: string };
  const what = String(memberOf(line, 'message'));
  return `error ${memberOf(line, 'function')}: ${message === '' ? what : `${what}: ${message}`}\n`;
}
