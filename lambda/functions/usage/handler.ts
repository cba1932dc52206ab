/** The usage function: answers an account's own usage, what it holds, and which images it has shown. Charges nothing, and is limited by the minute. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { routes } from '../../contract/routes';
import type { KeyedCaller } from '../../credentials/caller';
import { rateHeaders } from '../../http/answer-headers';
import type { Edge } from '../../http/edge';
import { createHttpHandler, type HttpHandler } from '../../http/http-handler';
import { type HttpRequest, keyHolderOf } from '../../http/http-request';
import { type HttpResponse, type HttpResult, invalidParameter, jsonResponse } from '../../http/http-response';
import { singleValues } from '../../http/single-values';
import type { CreditsDocument } from '../../images/credits-schema';
import type { PickedImages } from '../../images/picked-images';
import { creditRowOf, type ReadShownImages } from '../../images/shown-images';
import type { ThumbnailOf } from '../../images/thumbnail';
import type { ReportGone } from '../../pages/report-gone';
import { usageReportsOf } from '../../quota/fair-use';
import type { Ledger } from '../../quota/ledger';
import type { ReportAccount } from '../../quota/usage/report-account';
import { type ReportUsage, usageDocument } from '../../quota/usage/report-usage';

interface UsageDeps {
  readonly reportUsage: ReportUsage;
  readonly reportAccount: ReportAccount;
  readonly reportGone: ReportGone;
  readonly shownImages: ReadShownImages;
  readonly pickedImages: Pick<PickedImages, 'about'>;
  readonly thumbnailOf: ThumbnailOf;
  readonly ledger: Pick<Ledger, 'take'>;
  readonly edge?: Edge | undefined;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

type Report = (caller: KeyedCaller, nowMs: number, request: HttpRequest) => Promise<HttpResult>;

/** Each report is counted in the minute's reports of its account first. */
export function createHandler(deps: UsageDeps): HttpHandler {
  const { reportUsage, reportAccount, reportGone, shownImages, pickedImages, thumbnailOf } = deps;
  const { ledger, edge, clock, telemetry } = deps;
  const get = (report: Report) => ({
    GET: async (request: HttpRequest): Promise<HttpResult> => {
      const caller = keyHolderOf(request);
      if ('refusal' in caller) return caller;
      const nowMs = clock.nowMs();
      const charge = await ledger.take([usageReportsOf(caller, nowMs)], request.requestId);
      if (charge.outcome === 'refused') return { refusal: charge.refusal };
      return report(caller, nowMs, request);
    },
  });
  const getUsage: Report = async (caller, nowMs) => {
    const [report, gone] = await Promise.all([reportUsage(caller, nowMs), reportGone(caller, nowMs)]);
    return shown(usageDocument(caller, report, gone), rateHeaders(report.rateLimit, nowMs));
  };
  const getAccount: Report = async (caller, nowMs) => shown(await reportAccount(caller, nowMs));
  const getCredits: Report = async ({ account }, nowMs, { query }) => {
    const read = singleValues(query, ['page', 'cursor']);
    if ('refusal' in read) return read;
    const { page, cursor } = read.given;
    try {
      const { images, next = null } = await shownImages.of(account, {
        ...(page && { page }),
        ...(cursor && { after: cursor }),
      });
      const rows = await Promise.all(
        images.map(async (image) => {
          const row = await creditRowOf(pickedImages, image);
          return { ...row, thumbnail: row.gone ? null : await thumbnailOf(image, nowMs) };
        }),
      );
      return shown({ account, images: rows, next } satisfies CreditsDocument);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return invalidParameter('cursor', 'next of an earlier answer');
    }
  };
  const table = {
    [routes.usage]: get(getUsage),
    [routes.account]: get(getAccount),
    [routes.credits]: get(getCredits),
  };
  return createHttpHandler({ routes: table, edge, clock, telemetry });
}

function shown(document: object, headers: HttpResponse['headers'] = {}): HttpResponse {
  return jsonResponse(document, { ...headers, Vary: 'Authorization, X-API-Key' });
}
