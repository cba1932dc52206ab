/** Answers `POST /api/pages`: puts images in place of the placeholders of a page, and reports on each. */

import * as z from 'zod/mini';
import { type FilledPage, isToBeFound, reportOf } from '../../packages/client/src/pages/fill';
import type { FindImages } from '../../packages/client/src/pages/fill-html';
import { fillJudgedPage, judgeHtml, PageTooLarge } from '../../packages/client/src/pages/fill-html';
import { reasons, uptoWidthsPx } from '../../packages/client/src/service';
import { parameters } from '../contract/parameters';
import { languageTag, onMisses, pageBounds, styles } from '../contract/request-bounds';
import { lastPageCallMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import { type HttpRequest, requireKeyHolder } from '../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter } from '../http/http-response';
import { readBySchema, readJsonBody, readTextBody } from '../http/read-body';
import { rateHeaders } from '../http/response-headers';
import type { RateLimitStatus } from '../problems/problem';
import { refusalUnlessTaken, refuseFromMemory } from '../quota/take';
import type { Services } from '../services/services';
import { createRequestContext } from '../serving/request-context';
import { runParsedBatch } from './batch';
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

/** Writes the body of the answer, whose size is bounded before images are paid for. */
type BodyOf = (page: Pick<FilledPage, 'html' | 'report'>) => string;

type ChargedPage = FilledPage & { readonly rateLimit?: RateLimitStatus };

type JudgedPage = Awaited<ReturnType<typeof judgeHtml>>;
type PageOrder = z.infer<typeof pageSchema>;

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
  const order = readBySchema(body, pageSchema);
  if ('refusal' in order) return order;
  const { workLimits } = await createRequestContext(services, request, caller);
  const workRefusal = refuseFromMemory(services, workLimits);
  if (workRefusal) return { refusal: workRefusal };
  const judged = await judgePage(order, bodyOf);
  const result = 'refusal' in judged ? judged : await fillByBatches(services, request, caller, order, judged);
  if ('html' in result && hasFilled(result)) return result;
  const limitRefusal = await refusalUnlessTaken(services, workLimits, request.requestId);
  return limitRefusal ? { refusal: limitRefusal } : result;
}

const hasFilled = ({ report }: FilledPage) => report.some(({ outcome }) => outcome === 'filled');

/** Finds the placeholders of a page; refuses one that is too large, or whose answer may be. */
async function judgePage(
  { html, replaceStock = false }: PageOrder,
  bodyOf: BodyOf,
): Promise<JudgedPage | HttpRefusal> {
  try {
    const judged = await judgeHtml(html, { replaceStock });
    // In the JSON that Lambda hands over, the body is a string.
    const bytes = Buffer.byteLength(JSON.stringify(bodyOf({ html, report: reportOf(html, judged.places) })));
    const isTooLong = bytes + growthBytesMax(judged) > pageBounds.answerBytesMax;
    return isTooLong ? invalidParameter('html', pageTooLong) : judged;
  } catch (error) {
    if (error instanceof PageTooLarge) return invalidParameter('html', error.bounds);
    throw error;
  }
}

/** Computes the most bytes that a page grows by: its drawings, and the largest of the images to be found. */
function growthBytesMax({ places }: JudgedPage): number {
  let drawingBytes = 0;
  const bytesByImage = new Map<object, number>();
  for (const { image } of places) {
    // A URL for each width of a `srcset`, and those of other attributes.
    const urlBytes = image ? (uptoWidthsPx.length + 3) * (700 + 9 * image.words.length) : 0;
    if (image && isToBeFound(image)) bytesByImage.set(image, (bytesByImage.get(image) ?? 0) + urlBytes);
    else if (image) drawingBytes += 1_200;
  }
  const largest = [...bytesByImage.values()].sort((a, b) => b - a).slice(0, pageBounds.imagesMax);
  return largest.reduce((sum, bytes) => sum + bytes, drawingBytes);
}

const pageTooLong = `a page whose answer has at most ${pageBounds.answerBytesMax / 1_000_000} MB`;

/** Fills a page with the images of batches. A refused batch is the last, and refuses a page without an image. */
async function fillByBatches(
  services: Services,
  request: HttpRequest,
  caller: KeyedCaller,
  { html: _html, publish, ...options }: PageOrder,
  judged: JudgedPage,
): Promise<ChargedPage | HttpRefusal> {
  let rateLimit: RateLimitStatus | undefined;
  let refused: HttpRefusal | undefined;
  const find: FindImages = async (batch) => {
    if (services.clock.nowMs() > services.deadline.endsMs - lastPageCallMs) return undefined;
    const parsed = parseBatch({ ...batch, ...(publish !== undefined && { publish }) });
    const result = await runParsedBatch(services, request, parsed, caller);
    if ('refusal' in result) {
      refused = result;
      return undefined;
    }
    rateLimit = result.rateLimit;
    return result.images;
  };
  const page = await fillJudgedPage(judged, find, { ...options, imagesMax: pageBounds.imagesMax });
  if (refused && !hasFilled(page)) return refused;
  return { ...page, ...(rateLimit && { rateLimit }) };
}
