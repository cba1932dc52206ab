/** Scripts the services of batches and pages for tests. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { createDeadline } from '../../lambda/base/deadline';
import { defaultPlans } from '../../lambda/contract/plans';
import type { HttpRequest } from '../../lambda/http/http-request';
import type { HttpResult } from '../../lambda/http/http-response';
import type { ServedImage } from '../../lambda/images/image';
import { listWorkLimits } from '../../lambda/quota/caller-limits';
import { type Limit, makeCounterKey, refuseByLimit } from '../../lambda/quota/limit';
import { takeUnits } from '../../lambda/quota/take';
import type { Services } from '../../lambda/services/services';
import { createVirtualClock } from '../fakes/clock';
import { createScriptedServices, type ScriptedImages } from '../fakes/image-services';
import { createFakeLimits } from '../fakes/limits';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { makeAccountId, noImage, servedImage } from '../fakes/values';

const endsMs = Date.UTC(2026, 11, 1);
const nowMs = endsMs - 60_000;
export const keyHolder = { kind: 'live', account: makeAccountId('acc_1'), plan: 'pro', keyId: 'k' } as const;
const plans = { ...defaultPlans, pro: { ...defaultPlans.pro, monthlyRequests: 8 } };
const [work] = listWorkLimits(keyHolder, '', nowMs) as [Limit];
/** The work of the hour is used up. */
export const workRefusal = refuseByLimit(work);

interface PostSetting {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly isBase64?: boolean;
  /** Who asks: an account by default. */
  readonly caller?: HttpRequest['caller'];
  /** The result of each search, in order; `undefined` for no image. */
  readonly images?: readonly (Partial<ServedImage> | undefined)[];
  /** Whether work is used up, and whether the instance remembers that. */
  readonly isSpent?: boolean;
  readonly isKnownSpent?: boolean;
  /** Until the answer must be on its way. */
  readonly leftMs?: number;
  /** The write that waits for a promise, by the beginning of its key: the usage, or the mark of an image. */
  readonly held?: { readonly key: 'USAGE#' | 'PAID#'; readonly until: Promise<void> };
}

/** Creates a function that posts a body to a route, for an account that has eight units left. */
export function createPageService(route: (services: Services, request: HttpRequest) => Promise<HttpResult>) {
  return async (body: string | Buffer | null, setting: PostSetting = {}) => {
    const { services, limits, ...observed } = await createScriptedPages(setting);
    const deadline = createDeadline(nowMs + (setting.leftMs ?? 20_000));
    const result = await route({ ...services, deadline }, makePostRequest(body, setting));
    const workTaken = limits.calls.filter(({ key }) => key.startsWith('work#'));
    return { result, workTaken, ...observed };
  };
}

/** Creates the services of a route. They serve the images of the setting in its order. */
async function createScriptedPages(setting: PostSetting) {
  const { images = [{}], held, isSpent, isKnownSpent } = setting;
  const telemetry = createRecordedTelemetry();
  const searched: string[] = [];
  const clock = createVirtualClock(nowMs);
  const limits = createFakeLimits(clock, telemetry);
  if (isSpent || isKnownSpent) {
    const Item = { pk: makeCounterKey(work), used: work.max };
    limits.memory.apply(new PutCommand({ TableName: limits.services.tables.quotaCounters, Item }));
  }
  if (isKnownSpent) await takeUnits(limits.services, [work], 'before');
  limits.calls.length = 0;
  const obtainStockImage: ScriptedImages['obtainStockImage'] = async ({ query }, { batchMember }) => {
    const image = images[searched.length];
    searched.push(query);
    if (!image) return noImage;
    if (batchMember && !(await batchMember.reserve(`image ${searched.length}`))) return noImage;
    return { outcome: 'served', image: { ...servedImage, ...image }, cache: 'HIT' };
  };
  const beforeWrite = async (key: string) => {
    if (held && key.startsWith(held.key)) await held.until;
  };
  const { services, paidMarks, listUsage } = createScriptedServices(
    { obtainStockImage, decideAndReserve: async () => noImage },
    { telemetry, clock, limits, config: { PLANS: plans }, beforeWrite },
  );
  return { services, limits, telemetry, searched, paidMarks, listUsage };
}

function makePostRequest(
  body: string | Buffer | null,
  {
    headers = { 'content-type': 'application/json' },
    isBase64 = Buffer.isBuffer(body),
    caller = keyHolder,
  }: PostSetting,
): HttpRequest {
  const request: Partial<HttpRequest> = {
    caller,
    query: {},
    getHeader: (name) => headers[name],
    body: { text: Buffer.isBuffer(body) ? body.toString('base64') : body, isBase64 },
    rootUrl: 'https://img.example',
    requestId: 'r1',
    startedMs: nowMs,
    receivedMs: nowMs,
  };
  return request as HttpRequest;
}
