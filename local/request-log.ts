/** The log for people: a line for each request and each error of a function. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { parseJson } from '../lambda/base/parse';
import { sidePx } from '../lambda/contract/request-bounds';
import { decodePercent } from '../lambda/requests/path-form';
import { unreachedMessage } from '../lambda/stock/stock-services';

/**
 * Writes the line of a request: `302 HIT 42 ms 1200x800 mountain lake · openverse`. The line of an error ends with
 * its code. A request for no image has method and path. Parameters such as keys are left out.
 */
export function writeRequestLine(
  method: string,
  target: string,
  { statusCode, headers = {}, body }: Pick<APIGatewayProxyResult, 'statusCode' | 'headers' | 'body'>,
  tookMs: number,
): string {
  const requestText = describeImageRequest(target) ?? `${method} ${target.split('?')[0]}`;
  const words = [statusCode, headers['X-Cache'], `${Math.round(tookMs)} ms`, requestText]
    .filter(Boolean)
    .join(' ');
  const { code, attribution } = parseFields(body);
  const end =
    statusCode >= 400 ? (headers['X-Image-Fallback'] ?? code) : attribution?.providerName?.toLowerCase();
  return end ? `${words} · ${end}` : words;
}

/** Returns size and words in the URL of a request for an image. */
function describeImageRequest(target: string): string | undefined {
  const { pathname, searchParams } = new URL(target, 'http://local');
  const matched = /^\/api\/image(?:\/(?!id\/)(.+))?$/.exec(pathname);
  if (!matched) return undefined;
  const parameterOf = (name: string, short: string) => searchParams.get(name) ?? searchParams.get(short);
  const { defaultWidth, defaultHeight } = sidePx;
  const size = `${parameterOf('width', 'w') ?? defaultWidth}x${parameterOf('height', 'h') ?? defaultHeight}`;
  const spec = matched[1] && decodePercent(matched[1]).text.replace(/\.\w+$/, '');
  const words = (spec ?? `${size} ${parameterOf('query', 'q') ?? ''}`).replace(/[-_+/\s]+/g, ' ');
  return words.trim().slice(0, 100);
}

interface LoggedFields {
  readonly code?: string;
  readonly attribution?: { readonly providerName?: string };
  readonly level?: string;
  readonly function?: string;
  readonly message?: string;
  readonly kind?: string;
  readonly error?: { readonly message?: string };
}

const parseFields = (text: string) => (parseJson(text) ?? {}) as LoggedFields;

const unreachedLine =
  'No photo provider is reached, so images are drawn until one answers. Is there a network? npm run image-redirect -- providers says more.\n';

/**
 * Creates a function that turns a log record into the line of an error. Other records give an empty text, because
 * `--json-logs` shows them.
 * @param isDrawing true if images are drawn while no provider is reached. The log then says so once.
 */
export function createErrorLog(isDrawing: boolean): (record: string) => string {
  let isSaid = false;
  return (record) => {
    const { level, function: functionName, message, kind, error } = parseFields(record);
    if (message === unreachedMessage && !isSaid) {
      isSaid = true;
      return unreachedLine;
    }
    if (level !== 'error' || (isDrawing && kind === 'unavailable')) return '';
    return `error ${functionName}: ${[message, error?.message].filter(Boolean).join(': ')}\n`;
  };
}
