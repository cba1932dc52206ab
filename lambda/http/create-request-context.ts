/** Creates the context of an HTTP request, from its caller, address and `Accept`. */

import type { Deadline } from '../base/deadline';
import type { Plans } from '../contract/plans';
import type { Caller } from '../credentials/caller';
import { type AddressServices, hashIp } from '../credentials/client-ip';
import { quotaLimitOf } from '../quota/caller-limits';
import { isUnlimited, type Limit } from '../quota/limit';
import { limitsOfCaller, type RequestContext } from '../quota/request-context';
import type { RenditionFormat } from '../requests/rendition';
import { chooseFormat } from './accept';
import type { HttpRequest } from './http-request';

interface ContextServices extends AddressServices {
  /** `ANONYMOUS_LIMIT`: fields that replace those of the limit of callers without a key. */
  readonly config: { readonly PLANS: Plans; readonly ANONYMOUS_LIMIT: Partial<Pick<Limit, 'max' | 'hint'>> };
  readonly deadline: Deadline;
}

/** Makes the context of a request. Without a format that the URL names, `Accept` decides. */
export async function createRequestContext(
  { config: { PLANS, ANONYMOUS_LIMIT }, readAddressKey, deadline }: ContextServices,
  { clientIp, requestId, startedMs, header }: HttpRequest,
  caller: Caller,
  extension?: RenditionFormat,
): Promise<RequestContext> {
  const isCountedByIp = caller.kind === 'anonymous' || caller.publishedAs === 'site';
  const ipHash = isCountedByIp ? hashIp(clientIp, await readAddressKey(deadline)) : '';
  const limits = limitsOfCaller(caller, ipHash, PLANS, startedMs);
  const format = extension ?? chooseFormat(header('accept'));
  const context = { ...limits, requestId, format };
  const replaced: Partial<Limit> = ANONYMOUS_LIMIT;
  if (caller.kind !== 'anonymous' || replaced.max === undefined) return context;
  const quota = { ...quotaLimitOf(limits.requestLimits), ...replaced };
  return { ...context, requestLimits: [quota], workLimits: isUnlimited(quota) ? [] : limits.workLimits };
}
