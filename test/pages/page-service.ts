/** What batches and pages are served with, as a test scripts it. */

import { closingMs, requestBudgetMs } from '../../lambda/contract/timeouts';
import type { HttpRequest } from '../../lambda/http/http-request';
import type { HttpResult } from '../../lambda/http/http-response';
import type { ServedImage } from '../../lambda/images/image';
import type { LimitRefusal } from '../../lambda/problems/problem';
import type { PaidImage } from '../../lambda/quota/paid-images';
import type { ImageServices } from '../../lambda/services';
import { imageServices } from '../fakes/image-services';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { generousLedger } from '../fakes/request-context';
import { anImage } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const endMs = Date.UTC(2026, 11, 1);
const nowMs = endMs - 60_000;
const window = { kind: 'month', label: '2026-11', startMs: Date.UTC(2026, 10, 1), endMs } as const;
const rateLimitWith = (remaining: number) => ({ limit: 100, remaining, window });
/** Free deliveries are used up. */
export const spent: LimitRefusal = { code: 'rate_limited', rateLimit: rateLimitWith(0) };
export const caller = { kind: 'live', account: 'acc_1', plan: 'pro', keyId: 'k' };

interface Scripted {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly isBase64?: boolean;
  readonly admission?: object;
  /** What each search finds, in order; `undefined` for no image. */
  readonly images?: readonly (Partial<ServedImage> | undefined)[];
  /** What an instance remembers of free deliveries, and whether they are used up. */
  readonly used?: LimitRefusal;
  readonly isSpent?: boolean;
  /** Until the answer must be on its way. */
  readonly leftMs?: number;
  /** What takes as long as a promise: the record of the usage, or the note of an image. */
  readonly held?: { readonly call: 'settle' | 'note'; readonly until: Promise<void> };
}

/** Posts a body to a route. Each image is charged, with seven units left; six are left of what is charged for nothing. */
export function pageService(route: (services: ImageServices, request: HttpRequest) => Promise<HttpResult>) {
  return async (body: string | Buffer | null, scripted: Scripted = {}) => {
    const { headers = { 'content-type': 'application/json' }, isBase64 = Buffer.isBuffer(body) } = scripted;
    const { admission = { outcome: 'known', caller }, images = [{}], held } = scripted;
    const telemetry = createRecordedTelemetry();
    const searched: string[] = [];
    const noted: PaidImage[] = [];
    const recorded: unknown[] = [];
    const taken: unknown[] = [];
    const { services } = imageServices(
      {
        async find({ query }, _, by) {
          const image = images[searched.length];
          searched.push(query);
          if (!image) return { outcome: 'none' };
          if (by.claim && !(await by.claim(`image ${searched.length}`))) return { outcome: 'none' };
          return { outcome: 'found', image: { ...anImage, ...image }, cache: 'HIT' };
        },
        async recordUsage(by, { startedMs }, outcomes) {
          if (held?.call === 'settle') await held.until;
          recorded.push({ by, startedMs, outcomes });
        },
        paidImages: {
          async mark(image) {
            if (held?.call === 'note') await held.until;
            noted.push(image);
          },
        },
        ledger: {
          ...generousLedger(rateLimitWith(7)),
          refund: async (_, payment) => payment,
          lastStatus: async () => rateLimitWith(6),
          cachedRefusal: () => scripted.used,
          async take(limits, id) {
            taken.push([...limits, id]);
            return scripted.isSpent
              ? { outcome: 'refused', refusal: spent }
              : { outcome: 'taken', of: limits };
          },
        },
      },
      { telemetry, clock: createVirtualClock(nowMs) },
    );
    const startedMs = nowMs - requestBudgetMs + closingMs + (scripted.leftMs ?? 20_000);
    const request: Partial<HttpRequest> = {
      admission: admission as HttpRequest['admission'],
      query: {},
      header: (name) => headers[name],
      body: { text: Buffer.isBuffer(body) ? body.toString('base64') : body, isBase64 },
      rootUrl: 'https://img.example',
      requestId: 'r1',
      startedMs,
      receivedMs: startedMs,
    };
    const result = await route(services, request as HttpRequest);
    return { result, telemetry, searched, noted, recorded, taken, startedMs };
  };
}
