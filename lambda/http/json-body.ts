/** Reads the JSON body of a request: within a limit, and only where it says that it is JSON. */

import type { HttpRequest } from './http-request';
import type { HttpRefusal } from './http-response';

/** @param bytesMax longest body, in bytes */
export function readJsonBody(
  { body: { text, isBase64 }, header }: Pick<HttpRequest, 'body' | 'header'>,
  bytesMax: number,
): { readonly json: unknown } | HttpRefusal {
  if (!/^application\/json\s*(;|$)/i.test(header('content-type') ?? ''))
    return { refusal: { code: 'unsupported_media_type' } };
  const bytes = Buffer.from(text ?? '', isBase64 ? 'base64' : 'utf8');
  if (bytes.byteLength > bytesMax) return { refusal: { code: 'content_too_large' } };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    const faults = [{ parameter: 'body', bounds: 'a JSON document in UTF-8' }];
    return { refusal: { code: 'invalid_parameter', faults } };
  }
}
