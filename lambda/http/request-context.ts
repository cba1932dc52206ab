/** What a request may spend, and until when, beside its parameters. */

import type { Deadline } from '../base/deadline';
import type { Plans } from '../contract/plans';
import type { Caller } from '../credentials/caller';
import { ipHashOf } from '../credentials/client-ip';
import { accountLimit } from '../quota/charge';
import { isUnlimited, type Limit, rateLimitStatusOf } from '../quota/limit';
import { freePayment } from '../quota/payment';
import { limitsOf, type RequestContext } from '../quota/request-context';
import type { RenditionFormat } from '../requests/rendition';
import { formatFor } from './accept';
import type { HttpRequest } from './http-request';

/** What decides it of the services of the image function. */
interface SpendingServices {
  readonly config: {
    readonly PLANS: Plans;
    /** What replaces the hour's limit of callers without a key; `unlimitedRequests` counts none of their requests. */
    readonly ANONYMOUS_LIMIT: Partial<Pick<Limit, 'max' | 'hint'>>;
  };
  /** Reads the key of the hash under which client IP addresses are counted. */
  readonly readAddressKey: (deadline: Deadline) => Promise<string>;
  readonly deadline: Deadline;
}

/** @param extension the format that the URL asks for by name; otherwise the `Accept` header decides */
export async function requestContextOf(
  { config: { PLANS, ANONYMOUS_LIMIT }, readAddressKey, deadline }: SpendingServices,
  { clientIp, requestId, startedMs, header }: HttpRequest,
  caller: Caller,
  extension?: RenditionFormat,
): Promise<RequestContext> {
  const isCountedByIp = caller.kind === 'anonymous' || caller.publishedAs === 'site';
  const ipHash = isCountedByIp ? ipHashOf(clientIp, await readAddressKey(deadline)) : '';
  const limits = limitsOf(caller, ipHash, PLANS, startedMs);
  const format = extension ?? formatFor(header('accept'));
  const context = { ...limits, requestId, format, deadlineMs: deadline.endsMs };
  if (caller.kind !== 'anonymous' || ANONYMOUS_LIMIT.max === undefined) return context;
  const quota = { ...accountLimit(limits.requestLimits), ...ANONYMOUS_LIMIT };
  if (!isUnlimited(quota)) return { ...context, requestLimits: [quota] };
  const payment = freePayment('unlimited', rateLimitStatusOf(quota, 0));
  return { ...context, requestLimits: [quota], workLimits: [], payment };
}
