/** Writes the log for people: a line for each request and each error of a function. */

import type { APIGatewayProxyResult } from 'aws-lambda';
import { parseJson } from '../lambda/base/parse';
import { unreachedMessage } from '../lambda/stock/stock-services';

/**
 * Writes the line of a request: `302 HIT 42 ms GET /api/image/1200x800-mountain-lake · openverse`. The line of an
 * error ends with its code. It shows no parameter but the words, because others may be keys.
 */
export function writeRequestLine(
  method: string,
  target: string,
  { statusCode, headers = {}, body }: Pick<APIGatewayProxyResult, 'statusCode' | 'headers' | 'body'>,
  tookMs: number,
): string {
  const { pathname, searchParams } = new URL(target, 'http://local');
  const words = searchParams.get('query') ?? searchParams.get('q');
  const { code, attribution } = parseFields(body);
  const end =
    statusCode >= 400 ? (headers['X-Image-Fallback'] ?? code) : attribution?.providerName?.toLowerCase();
  const parts = [statusCode, headers['X-Cache'], `${Math.round(tookMs)} ms`, method, pathname, words];
  return [...parts, end && `· ${end}`].filter(Boolean).join(' ');
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
  let hasSaidUnreached = false;
  return (record) => {
    const { level, function: functionName, message, kind, error } = parseFields(record);
    if (message === unreachedMessage && !hasSaidUnreached) {
      hasSaidUnreached = true;
      return unreachedLine;
    }
    if (level !== 'error' || (isDrawing && kind === 'unavailable')) return '';
    return `error ${functionName}: ${[message, error?.message].filter(Boolean).join(': ')}\n`;
  };
}
