/** Reads the body of a request as text or JSON. Each fault names its place and the value that was received. */

import { isUtf8 } from 'node:buffer';
import type * as z from 'zod/mini';
import type { ParameterFault } from '../problems/problem';
import { writeReceived } from '../problems/received';
import type { HttpRequest } from './http-request';
import { type HttpRefusal, refuseParameter } from './http-response';

type RequestWithBody = Pick<HttpRequest, 'body' | 'getHeader'>;

/** Reads the body as text. Refuses more than `bytesMax` bytes, and bytes that are not UTF-8. */
export function readTextBody({ body: { text, isBase64 } }: RequestWithBody, bytesMax: number) {
  const bytes = Buffer.from(text ?? '', isBase64 ? 'base64' : 'utf8');
  if (bytes.byteLength > bytesMax) return { refusal: { code: 'content_too_large' } } satisfies HttpRefusal;
  return isUtf8(bytes) ? { text: bytes.toString() } : refuseParameter('body', 'text in UTF-8');
}

/** Reads the body as JSON. Refuses more than `bytesMax` bytes, and a text that is not JSON. */
export function readJsonBody(
  request: RequestWithBody,
  bytesMax: number,
): { readonly json: unknown } | HttpRefusal {
  if (!/^application\/json\s*(;|$)/i.test(request.getHeader('content-type') ?? ''))
    return { refusal: { code: 'unsupported_media_type' } };
  const body = readTextBody(request, bytesMax);
  if ('refusal' in body) return body;
  try {
    return { json: JSON.parse(body.text.replace(/^\ufeff/, '')) };
  } catch {
    return refuseParameter('body', 'a JSON document in UTF-8', writeReceived(body.text));
  }
}

/** Reads JSON by a schema: its value, or a refusal that names each fault. */
export function readBySchema<S extends z.ZodMiniType>(json: unknown, schema: S): z.infer<S> | HttpRefusal {
  const result = schema.safeParse(json);
  if (result.success) return result.data as z.infer<S>;
  return { refusal: { code: 'invalid_parameter', faults: listSchemaFaults(json, result.error.issues) } };
}

/** Lists the faults of JSON by their places, such as `images[3].width`. The whole document is called `body`. */
export function listSchemaFaults(
  json: unknown,
  issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[],
): readonly ParameterFault[] {
  return issues.map(({ path, message }) => {
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
    return { parameter: steps.join('').slice(1) || 'body', bounds: message, ...readReceived(json, path) };
  });
}

/** Reads the value at a place of JSON, in the form in which errors repeat it. */
export function readReceived(json: unknown, path: readonly PropertyKey[]): { readonly received?: string } {
  const value: unknown = path.reduce((part, step) => Object(part)[step], json);
  if (value === undefined) return {};
  try {
    return { received: writeReceived(typeof value === 'string' ? value : JSON.stringify(value)) };
  } catch {
    // The stack does not suffice to write a value of thousands of levels.
    return {};
  }
}
