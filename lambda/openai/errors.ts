/** Writes errors in OpenAI's form: `{error: {message, type, param, code}}`. */

import { type HttpResponse, makeJsonResponse } from '../http/http-response';
import { generationInProgress } from '../problems/problem';
import type { ProblemDocument } from '../problems/problem-document';

type Headers = HttpResponse['headers'];

/** Writes an error. @param fault its `param` is the wrong field of the body */
export function writeOpenAiError(
  status: number,
  fault: { readonly message: string; readonly code: string; readonly param?: string | undefined },
  headers?: Headers,
): HttpResponse {
  const { message, code, param = null } = fault;
  const error = { message, type: getErrorType(status, code), param, code };
  return { ...makeJsonResponse({ error }, headers), status };
}

/**
 * Writes the error of a call without any image.
 * @param problem the problem of the first refused image. It is absent if only the files do not load.
 * @param retryAfterS sent only if a later call may succeed
 */
export function writeNoImageError(
  problem: ProblemDocument | undefined,
  headers: Headers,
  retryAfterS: number = generationInProgress.retryAfterS,
): HttpResponse {
  const waitingHeaders = { ...headers, 'Retry-After': String(retryAfterS) };
  if (!problem)
    return writeOpenAiError(503, { message: 'No image loads.', code: 'service_unavailable' }, waitingHeaders);
  return writeProblem(problem, problem.status === 429 || problem.status >= 500 ? waitingHeaders : headers);
}

/** Writes a problem in OpenAI's form. */
export function writeProblem(problem: ProblemDocument, headers: Headers): HttpResponse {
  const { status, detail: message, code, parameters = [] } = problem;
  if (code === 'content_refused')
    return writeOpenAiError(400, { message, code: 'content_policy_violation', param: 'prompt' }, headers);
  return writeOpenAiError(status, { message, code, param: parameters[0]?.parameter }, headers);
}

function getErrorType(status: number, code: string): string {
  if (code === 'quota_exceeded') return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
