/** What an error answer of a server that speaks OpenAI's images API means. */

import { GeneratorFailure, type GeneratorFailureKind } from '../../generator';
import { isGivenUp } from '../attempts';

interface ErrorBody {
  readonly error?: { readonly code?: unknown; readonly type?: unknown; readonly message?: unknown } | string;
}

const refusals = new Set(['moderation_blocked', 'content_policy_violation', 'content_filter']);

/** Whether the safety filter refused; `image_generation_user_error` alone also stands for other faults of a request. */
export function isRefusal(status: number, body: string): boolean {
  return status === 400 && refusals.has(codeOf(body));
}

/** @param retryAfter the `Retry-After` header: seconds */
export function openAiFailureOf(status: number, body: string, retryAfter: string | null): GeneratorFailure {
  const code = codeOf(body);
  const retryAfterMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : undefined;
  const message = `The generator answered ${status} ${code}`.trimEnd();
  return new GeneratorFailure(kindOf(status, code), message, {
    retryAfterMs,
    isUnbilled: !isGivenUp(status),
  });
}

function kindOf(status: number, code: string): GeneratorFailureKind {
  if (code === 'insufficient_quota' || code === 'billing_hard_limit_reached' || status === 402)
    return 'quota_exceeded';
  if (code === 'model_not_found' || code === 'model_deprecated') return 'end_of_life';
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 408 || status === 424 || status >= 500) return 'unavailable';
  return 'rejected';
}

/** The machine-readable code of an error; empty where there is none. Its message is left out: it may repeat the prompt. */
function codeOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as ErrorBody;
    const { code, type } = typeof error === 'object' ? error : {};
    const text = typeof code === 'string' ? code : type;
    return typeof text === 'string' ? text.slice(0, 100) : '';
  } catch {
    return '';
  }
}
