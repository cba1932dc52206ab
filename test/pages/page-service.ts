/** What batches and pages are served with, as a test scripts it. */

import type { HttpRequest } from '../../lambda/http/http-request';
import type { HttpRefusal, HttpResult } from '../../lambda/http/http-response';
import type { Answer } from '../../lambda/images/answer';
import type { FillHtml, PageDeps } from '../../lambda/pages/fill-page';
import type { Published } from '../../lambda/pages/publishing';
import type { Batch } from '../../lambda/pages/serve-batch';
import type { LimitRefusal } from '../../lambda/problems/problem';
import { fillHtml, PageTooLarge } from '../../packages/client/src/pages/fill-html';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { anImage } from '../fakes/stock';

const endMs = Date.UTC(2026, 11, 1);
const window = { kind: 'month', label: '2026-11', startMs: Date.UTC(2026, 10, 1), endMs } as const;
export const rateLimitWith = (remaining: number) => ({ limit: 100, remaining, window });
export const servedWith = (remaining: number, more: object = {}): Answer => ({
  outcome: 'served',
  image: { ...anImage, ...more },
  cache: 'HIT',
  payment: { state: 'charged', rateLimit: rateLimitWith(remaining) },
});
/** Free deliveries are used up. */
export const spent: LimitRefusal = { code: 'rate_limited', rateLimit: rateLimitWith(0) };
export const caller = { kind: 'live', account: 'acc_1', plan: 'pro', keyId: 'k' };

interface Scripted {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly isBase64?: boolean;
  readonly admission?: object;
  /** One for each entry, in order. */
  readonly answers?: readonly Answer[];
  readonly published?: Published | HttpRefusal;
  readonly fillHtml?: FillHtml;
  /** What an instance remembers of free deliveries, and whether they are used up. */
  readonly used?: LimitRefusal;
  readonly isSpent?: boolean;
  /** Until the answer must be on its way. */
  readonly leftMs?: number;
  /** What takes as long as a promise: the record of the usage, or the note of an image. */
  readonly held?: { readonly call: 'settle' | 'note'; readonly until: Promise<void> };
}

/** Posts a body to a route. */
export function pageService(route: (deps: PageDeps, request: HttpRequest) => Promise<HttpResult>) {
  return async (body: string | Buffer | null, scripted: Scripted = {}) => {
    const { headers = { 'content-type': 'application/json' }, isBase64 = Buffer.isBuffer(body) } = scripted;
    const { admission = { outcome: 'known', caller }, answers = [servedWith(9)], held } = scripted;
    const telemetry = createRecordedTelemetry();
    const batches: Batch[] = [];
    const noted: unknown[] = [];
    const recorded: unknown[] = [];
    const orders: unknown[] = [];
    const taken: unknown[] = [];
    const deps: PageDeps = {
      async serveBatch(batch) {
        batches.push(batch);
        return answers;
      },
      async recordUsage(by, { startedMs }, outcomes) {
        if (held?.call === 'settle') await held.until;
        recorded.push({ by, startedMs, outcomes });
      },
      loadPublishing: async () => ({
        publishing: {
          async resolve(_, order) {
            orders.push(order);
            return scripted.published ?? { until: null, note: 'of the account' };
          },
          async note(answer, _, request, quota) {
            if (held?.call === 'note') await held.until;
            noted.push({ answer, query: request?.query, quota });
          },
        },
      }),
      contextOf: () =>
        ({
          quota: 'the quota',
          freeDeliveries: 'free',
          deadlineMs: endMs - 60_000 + (scripted.leftMs ?? 20_000),
        }) as never,
      loadPages: async () => ({ fillHtml: scripted.fillHtml ?? fillHtml, PageTooLarge }),
      ledger: {
        cachedRefusal: () => scripted.used,
        async take(limits, id) {
          taken.push([...limits, id]);
          return scripted.isSpent ? { outcome: 'refused', refusal: spent } : { outcome: 'taken', of: limits };
        },
      },
      telemetry,
      nowMs: () => endMs - 60_000,
    };
    const request: Partial<HttpRequest> = {
      admission: admission as HttpRequest['admission'],
      query: {},
      header: (name) => headers[name],
      body: { text: Buffer.isBuffer(body) ? body.toString('base64') : body, isBase64 },
      rootUrl: 'https://img.example',
      requestId: 'r1',
      startedMs: 5,
    };
    const result = await route(deps, request as HttpRequest);
    return { result, telemetry, batches, noted, recorded, orders, taken };
  };
}
