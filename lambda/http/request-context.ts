/** What a request may spend, and until when, beside its parameters. */

import { type Plans, unlimitedRequests } from '../contract/plans';
import { closingMs, requestBudgetMs } from '../contract/timeouts';
import type { Caller } from '../credentials/caller';
import { clientOf, uncountedClient } from '../credentials/client-ip';
import { type Limit, rateLimitStatusOf } from '../quota/quota';
import { limitsOf, type RequestContext } from '../quota/request-context';
import type { RenditionFormat } from '../requests/rendition';
import { formatFor } from './accept';
import { answersBy, type HttpRequest } from './http-request';

/** The settings that decide it. */
interface SpendingSettings {
  readonly PLANS: Plans;
  /** What replaces the hour's limits of callers without a key; `unlimitedRequests` counts none of their requests. */
  readonly ANONYMOUS_LIMIT: Partial<Pick<Limit, 'limit' | 'hint'>>;
  /** Secret of the keyed hash under which client IP addresses are counted. */
  readonly ADDRESS_SECRET: string;
}

/** @param extension the format that the URL asks for by name; otherwise the `Accept` header decides */
export function requestContextOf(
  { PLANS, ADDRESS_SECRET, ANONYMOUS_LIMIT }: SpendingSettings,
  { clientIp, requestId, receivedMs, startedMs, header }: HttpRequest,
  caller: Caller,
  extension?: RenditionFormat,
): RequestContext {
  const isCountedByIp = caller.kind === 'anonymous' || caller.publishedAs === 'site';
  const client = isCountedByIp ? clientOf(clientIp, ADDRESS_SECRET) : uncountedClient;
  const limits = limitsOf(caller, client, PLANS, startedMs);
  const anonymous = caller.kind === 'anonymous' ? ANONYMOUS_LIMIT : undefined;
  const quota = { ...limits.quota, ...anonymous };
  const isUncounted = anonymous?.limit === unlimitedRequests;
  return {
    ...limits,
    quota,
    searches: limits.searches.map((limit) => ({ ...limit, ...anonymous })),
    ...(isUncounted && {
      payment: { state: 'free', because: 'unlimited', rateLimit: rateLimitStatusOf(quota, 0) },
      renditions: [],
    }),
    requestId,
    format: extension ?? formatFor(header('accept')),
    deadlineMs: answersBy({ receivedMs, startedMs }, requestBudgetMs) - closingMs,
  };
}
