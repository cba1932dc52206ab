/** Reads the body of a request as text or JSON, and names each fault with what was received. */

import type * as z from 'zod/mini';
import type { ParameterFault } from '../problems/problem';
import { receivedText } from '../problems/received';
import type { HttpRequest } from './http-request';
import { type HttpRefusal, invalidParameter } from './http-response';

type RequestWithBody = Pick<HttpRequest, 'body' | 'header'>;

/** Reads the body as text, or refuses it where it has more than `bytesMax` bytes or is not UTF-8. */
export function readTextBody({ body: { text, isBase64 } }: RequestWithBody, bytesMax: number) {
  const bytes = Buffer.from(text ?? '', isBase64 ? 'base64' : 'utf8');
  if (bytes.byteLength > bytesMax) return { refusal: { code: 'content_too_large' } } satisfies HttpRefusal;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return invalidParameter('body', 'text in UTF-8');
  }
}

/** Reads the JSON of a body, or refuses it where it has more than `bytesMax` bytes or is not JSON. */
export function readJsonBody(
  request: RequestWithBody,
  bytesMax: number,
): { readonly json: unknown } | HttpRefusal {
  if (!/^application\/json\s*(;|$)/i.test(request.header('content-type') ?? ''))
    return { refusal: { code: 'unsupported_media_type' } };
  const body = readTextBody(request, bytesMax);
  if ('refusal' in body) return body;
  try {
    return { json: JSON.parse(body.text.replace(/^\ufeff/, '')) };
  } catch {
    return invalidParameter('body', 'a JSON document in UTF-8', receivedText(body.text));
  }
}

/** Reads JSON by a schema, or gives the refusal that names each fault. */
export function readBySchema<S extends z.ZodMiniType>(json: unknown, schema: S): z.infer<S> | HttpRefusal {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data as z.infer<S>;
  return { refusal: { code: 'invalid_parameter', faults: describeFaults(json, parsed.error.issues) } };
}

/** Lists the faults of JSON, by their places: `images[3].width`, or `body` for the whole. */
export function describeFaults(
  json: unknown,
  issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[],
): readonly ParameterFault[] {
  return issues.map(({ path, message }) => {
    const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
    return { parameter: steps.join('').slice(1) || 'body', bounds: message, ...readReceived(json, path) };
  });
}

/** Reads the value at a place of JSON, as errors repeat it; nothing where it is absent. */
export function readReceived(json: unknown, path: readonly PropertyKey[]): { readonly received?: string } {
  const value = path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined,
    json,
  );
  if (value === undefined) return {};
  return { received: receivedText(typeof value === 'string' ? value : JSON.stringify(value)) };
}
