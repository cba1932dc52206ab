/** The log of the local service for people: one line a request, and one for each error of a function. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { sidePx } from '../lambda/contract/request-bounds';
import { decodePercent } from '../lambda/requests/path-form';

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
  const { code, attribution } = jsonIn(body);
  const end =
    statusCode >= 400 ? (headers['X-Image-Fallback'] ?? code) : attribution?.providerName?.toLowerCase();
  return end ? `${words} · ${end}` : words;
}

/** Size and words of a request for an image, as its URL has them. */
function imageIn(target: string): string | undefined {
  const { pathname, searchParams } = new URL(target, 'http://local');
  const matched = /^\/api\/image(?:\/(?!id\/)(.+))?$/.exec(pathname);
  if (!matched) return undefined;
  const given = (name: string, short: string) => searchParams.get(name) ?? searchParams.get(short);
  const { defaultWidth, defaultHeight } = sidePx;
  const size = `${given('width', 'w') ?? defaultWidth}x${given('height', 'h') ?? defaultHeight}`;
  const spec = matched[1] && decodePercent(matched[1]).text.replace(/\.\w+$/, '');
  const words = (spec ?? `${size} ${given('query', 'q') ?? ''}`).replace(/[-_+/\s]+/g, ' ');
  return words.trim().slice(0, 100);
}

/** What the log reads of answers and of the functions' own log. */
interface Read {
  readonly code?: string;
  readonly attribution?: { readonly providerName?: string };
  readonly level?: string;
  readonly function?: string;
  readonly message?: string;
  readonly error?: { readonly message?: string };
}

function jsonIn(text: string): Read {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/**
 * A line of the functions' log for people: what an error says. Everything else the functions log is for `--json-logs`.
 * @returns `undefined` where there is nothing to show
 */
export function errorLine(line: string): string | undefined {
  const { level, function: of, message, error } = jsonIn(line);
  if (level !== 'error') return undefined;
  return `error ${of}: ${[message, error?.message].filter(Boolean).join(': ')}\n`;
}
