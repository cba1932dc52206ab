/** The context of a request for an image: its id, format, limits and account. */

import type { Deadline } from '../base/deadline';
import type { Plans } from '../contract/plans';
import type { AccountId, Caller } from '../credentials/caller';
import { type AddressServices, hashIp } from '../credentials/client-ip';
import { chooseFormat } from '../http/accept';
import type { HttpRequest } from '../http/http-request';
import type { BatchMember } from '../images/batch-member';
import { getQuotaLimit, listRequestLimits, listWorkLimits, type RequestLimits } from '../quota/caller-limits';
import { isUnlimited, type Limit } from '../quota/limit';
import type { WorkContext } from '../quota/take';
import type { ImageRequest, PermalinkRequest } from '../requests/image-request';
import type { RenditionFormat } from '../requests/rendition';

export interface RequestContext extends WorkContext {
  readonly format: RenditionFormat;
  readonly requestLimits: RequestLimits;
  /** Absent for callers without a key. */
  readonly account?: AccountId;
}

/** A request for an image, with the caller that sent it. */
export interface CallerRequest<
  Request extends ImageRequest | PermalinkRequest = ImageRequest | PermalinkRequest,
> {
  readonly request: Request;
  readonly caller: Caller;
  readonly context: RequestContext;
  /** Present for an image of a batch. */
  readonly batchMember?: BatchMember;
}

interface ContextServices extends AddressServices {
  /** `ANONYMOUS_LIMIT`: fields that replace those of the limit of callers without a key. */
  readonly config: { readonly PLANS: Plans; readonly ANONYMOUS_LIMIT: Partial<Pick<Limit, 'max' | 'hint'>> };
  readonly deadline: Deadline;
}

/** Reads the context of a request, and the secret that hashes its address. `Accept` decides without `extension`. */
export async function readRequestContext(
  { config: { PLANS, ANONYMOUS_LIMIT }, readAddressKey, deadline }: ContextServices,
  { clientIp, requestId, startedMs, getHeader }: HttpRequest,
  caller: Caller,
  extension?: RenditionFormat,
): Promise<RequestContext> {
  const isCountedByIp = caller.kind === 'anonymous' || caller.publishedAs === 'site';
  const ipHash = isCountedByIp ? hashIp(clientIp, await readAddressKey(deadline)) : '';
  const requestLimits = listRequestLimits(caller, ipHash, PLANS, startedMs);
  const workLimits = listWorkLimits(caller, ipHash, startedMs);
  const format = extension ?? chooseFormat(getHeader('accept'));
  const context = { requestId, format, requestLimits, workLimits };
  if (caller.kind !== 'anonymous') return { ...context, account: caller.account };
  const changes: Partial<Limit> = ANONYMOUS_LIMIT;
  if (changes.max === undefined) return context;
  const quota = { ...getQuotaLimit(requestLimits), ...changes };
  return { ...context, requestLimits: [quota], workLimits: isUnlimited(quota) ? [] : workLimits };
}
