/** Answers `POST /api/pages`: puts images in place of the placeholders of a page, and reports on each. */

import * as z from 'zod/mini';
import { fillHtml, PageTooLarge } from '../../packages/client/src/pages/fill-html';
import { reasons } from '../../packages/client/src/service';
import { parameters } from '../contract/parameters';
import { languageTag, onMisses, pageBounds, styles } from '../contract/request-bounds';
import { lastPageCallMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import { rateHeaders } from '../http/answer-headers';
import { createRequestContext } from '../http/create-request-context';
import { type HttpRequest, requireKeyHolder } from '../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter } from '../http/http-response';
import { readBySchema, readJsonBody, readTextBody } from '../http/read-body';
import type { RateLimitStatus } from '../problems/problem';
import { rememberedRefusalFor, takeOrRefuse } from '../quota/take';
import type { Services } from '../services/services';
import { type BatchResult, findPageImages } from './batch';
import { parseBatch } from './parse-batch';

export const pageSchema = z.object(
  {
    html: z.string('required, the page as text').check(z.describe('The page, or a part of one.')),
    publish: z.exactOptional(z.union([z.boolean(), z.string()], 'true, false or the id of a credential')),
    style: z.exactOptional(z.enum(styles, `one of ${styles.join(', ')}`)),
    onmiss: z.exactOptional(z.enum(onMisses, 'ai, or absent')),
    replaceStock: z.exactOptional(
      z
        .boolean('true or false')
        .check(z.describe('Whether stock photos that may be real are replaced too; false by default.')),
    ),
    lang: z.exactOptional(z.string().check(z.regex(languageTag, parameters.lang.bounds))),
  },
  'a JSON object',
);

export const filledImageSchema = z.object({
  line: z.int().check(z.describe('Line of the page, from 1.')),
  was: z.string().check(z.describe('The URL that stood there, up to 200 characters of it; empty for none.')),
  outcome: z
    .enum(['filled', 'drawn', 'kept', 'left'])
    .check(z.describe('drawn: a box or initials. kept: maybe no placeholder. left: still to be filled.')),
  reason: z
    .enum([...reasons.replaced, ...reasons.kept, ...reasons.left])
    .check(z.describe('Why it was filled or drawn, why it was kept, or why it was left.')),
  query: z.nullable(z.string()).check(z.describe('The words of the image.')),
  width: z.nullable(z.int()).check(z.describe('As laid out on the page, in CSS pixels.')),
  height: z.nullable(z.int()),
  src: z.nullable(z.string()).check(z.describe('The new URL.')),
  pick: z.nullable(z.string()),
  note: z.exactOptional(z.string()),
});

export const filledPageSchema = z.object({
  html: z.string(),
  left: z.int().check(z.describe('How many images a further call could fill.')),
  credits: z.array(z.string()).check(z.describe('Credits that licences ask for; the page shows them.')),
  report: z.array(filledImageSchema).check(z.describe('A row for every image of the page.')),
});

type FilledPage = Readonly<Omit<z.infer<typeof filledPageSchema>, 'report' | 'credits'>> & {
  readonly credits: readonly string[];
  readonly report: readonly z.infer<typeof filledImageSchema>[];
};

/** Fills a page: answers HTML with HTML, unless the caller accepts JSON, and JSON with JSON. */
export async function postPages(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const body = readPage(request);
  if ('refusal' in body) return body;
  const asJson = !isHtml(request) || /\bapplication\/json\b/i.test(request.header('accept') ?? '');
  const bodyOf: BodyOf = (page) => (asJson ? JSON.stringify(page) : page.html);
  const result = await fillPage(services, request, caller, body.json, bodyOf);
  if ('refusal' in result) return result;
  const { rateLimit, ...page } = result;
  return {
    status: 200,
    headers: {
      ...(rateLimit ? rateHeaders(rateLimit, services.clock.nowMs()) : {}),
      'Cache-Control': 'no-store',
      'Content-Type': `${asJson ? 'application/json' : 'text/html'}; charset=utf-8`,
      // A browser that shows the caller's page must not treat it as a page of this origin.
      'Content-Security-Policy': 'sandbox',
    },
    body: bodyOf(page),
  };
}

const isHtml = (request: HttpRequest) => /^text\/html\s*(;|$)/i.test(request.header('content-type') ?? '');

function readPage(request: HttpRequest): { readonly json: unknown } | HttpRefusal {
  if (!isHtml(request)) return readJsonBody(request, pageBounds.bytesMax);
  const body = readTextBody(request, pageBounds.bytesMax);
  return 'refusal' in body ? body : { json: { html: body.text } };
}

const pageTooLong = `a page whose answer has at most ${pageBounds.answerBytesMax / 1_000_000} MB`;

/** Writes the body of the answer, whose size is bounded before images are paid for. */
type BodyOf = (page: Pick<FilledPage, 'html' | 'report'>) => string;

type ChargedPage = FilledPage & { readonly rateLimit?: RateLimitStatus };

/**
 * Fills a page. One in which nothing is filled takes a unit of `work`: reading it costs as much as any other.
 * @param body as JSON, not validated yet
 */
export async function fillPage(
  services: Services,
  request: HttpRequest,
  caller: KeyedCaller,
  body: unknown,
  bodyOf: BodyOf,
): Promise<ChargedPage | HttpRefusal> {
  const page = readBySchema(body, pageSchema);
  if ('refusal' in page) return page;
  const { workLimits } = await createRequestContext(services, request, caller);
  const workRefusal = rememberedRefusalFor(services, workLimits);
  if (workRefusal) return { refusal: workRefusal };
  const result = await fillByCalls(services, request, caller, page, bodyOf);
  if ('html' in result && result.report.some(({ outcome }) => outcome === 'filled')) return result;
  const limitRefusal = await takeOrRefuse(services, workLimits, request.requestId);
  return limitRefusal ? { refusal: limitRefusal } : result;
}

/** Stops `fillHtml`, which passes on the errors of its functions. */
class FillingRefused extends Error {
  constructor(readonly answer: HttpRefusal) {
    super(answer.refusal.code);
  }
}

async function fillByCalls(
  services: Services,
  request: HttpRequest,
  caller: KeyedCaller,
  { html, publish, ...options }: z.infer<typeof pageSchema>,
  bodyOf: BodyOf,
): Promise<ChargedPage | HttpRefusal> {
  const published = publish === undefined ? {} : { publish };
  let rateLimit: RateLimitStatus | undefined;
  const find = async (batch: object): Promise<BatchResult['images']> => {
    const result = await findPageImages(services, request, parseBatch({ ...batch, ...published }), caller);
    if ('refusal' in result) throw new FillingRefused(result);
    rateLimit = result.rateLimit;
    return result.images;
  };
  try {
    const page = await fillHtml(html, find, {
      ...options,
      imagesMax: pageBounds.imagesMax,
      isOver: () => services.clock.nowMs() > services.deadline.endsMs - lastPageCallMs,
      beforeFinding: (growthMax, report) => {
        // In the JSON that Lambda hands over, the body is a string.
        const bytes = Buffer.byteLength(JSON.stringify(bodyOf({ html, report })));
        if (bytes + growthMax > pageBounds.answerBytesMax)
          throw new FillingRefused(invalidParameter('html', pageTooLong));
      },
    });
    return { ...page, ...(rateLimit && { rateLimit }) };
  } catch (error) {
    if (error instanceof FillingRefused) return error.answer;
    if (error instanceof PageTooLarge) return invalidParameter('html', error.bounds);
    throw error;
  }
}
