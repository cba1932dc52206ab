/** Errors in the shape of OpenAI's API, which its clients read: `{error: {message, type, param, code}}`. */

import type { HttpResponse } from '../http/http-response';
import type { ProblemDocument } from '../problems/problem-document';

/**
 * Makes an error in OpenAI's shape.
 * @param fault `param`: the field of the body that is at fault
 * @param headers beside those of every error
 */
export function openAiError(
  status: number,
  fault: { readonly message: string; readonly code: string; readonly param?: string | undefined },
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  const { message, code, param = null } = fault;
  const always = { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' };
  const error = { message, type: typeOf(status, code), param, code };
  return { status, headers: { ...headers, ...always }, body: JSON.stringify({ error }) };
}

/** An answer with a problem document, in OpenAI's shape. */
export function asOpenAiError({ body, headers }: Pick<HttpResponse, 'body' | 'headers'>): HttpResponse {
  const { status, detail, code, parameters = [] } = JSON.parse(body) as ProblemDocument;
  if (code === 'content_refused')
    return openAiError(400, { message: detail, code: 'content_policy_violation', param: 'prompt' }, headers);
  return openAiError(status, { message: detail, code, param: parameters[0]?.parameter }, headers);
}

function typeOf(status: number, code: string): string {
  if (code === 'quota_exceeded') return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
