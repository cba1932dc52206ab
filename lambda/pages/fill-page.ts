/** Responds to `POST /api/pages`. Images replace the placeholders of a page, and a report lists all images. */

import * as z from 'zod/mini';
import { type FilledPage, isToBeFound, listRows } from '../../packages/client/src/pages/fill';
import type { FindImages } from '../../packages/client/src/pages/fill-html';
import { fillJudgedPage, judgeHtml, PageTooLarge } from '../../packages/client/src/pages/fill-html';
import { reasons, uptoWidthsPx } from '../../packages/client/src/service';
import { parameters } from '../contract/parameters';
import { languageTag, onMisses, pageBounds, styles } from '../contract/request-bounds';
import { lastPageCallMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import { type HttpRequest, requireKeyHolder } from '../http/http-request';
import { type HttpRefusal, type HttpResult, refuseParameter } from '../http/http-response';
import { readBySchema, readJsonBody, readTextBody } from '../http/read-body';
import { writeRateHeaders } from '../http/response-headers';
import type { RateLimitStatus } from '../problems/problem';
import { takeWork } from '../quota/take';
import type { Services } from '../services/services';
import { readRequestContext } from '../serving/request-context';
import { answerBatch } from './batch';
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
        .check(z.describe('Replaces stock photos too, although they may be real; false by default.')),
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
  credits: z
    .array(z.string())
    .check(
      z.describe('Credits that licences ask for; the page shows them, unless its end is an open comment.'),
    ),
  report: z.array(filledImageSchema).check(z.describe('A row for every image of the page.')),
});

/** Fills a page. The response is HTML if the body is HTML and the caller does not accept JSON. */
export async function postPages(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const body = readPage(request);
  if ('refusal' in body) return body;
  const asJson = !hasHtmlBody(request) || /\bapplication\/json\b/i.test(request.getHeader('accept') ?? '');
  const writeBody: WriteBody = (page) => (asJson ? JSON.stringify(page) : page.html);
  const result = await fillPage(services, request, caller, body.json, writeBody);
  if ('refusal' in result) return result;
  const { rateLimit, ...page } = result;
  return {
    status: 200,
    headers: {
      ...(rateLimit ? writeRateHeaders(rateLimit, services.clock.nowMs()) : {}),
      'Cache-Control': 'no-store',
      'Content-Type': `${asJson ? 'application/json' : 'text/html'}; charset=utf-8`,
      // A browser that shows the caller's page must not treat it as a page of this origin.
      'Content-Security-Policy': 'sandbox',
    },
    body: writeBody(page),
  };
}

const hasHtmlBody = (request: HttpRequest) =>
  /^text\/html\s*(;|$)/i.test(request.getHeader('content-type') ?? '');

function readPage(request: HttpRequest): { readonly json: unknown } | HttpRefusal {
  if (!hasHtmlBody(request)) return readJsonBody(request, pageBounds.bytesMax);
  const body = readTextBody(request, pageBounds.bytesMax);
  return 'refusal' in body ? body : { json: { html: body.text } };
}

/** Writes the body of the response. The size of the body is checked before any image is charged. */
export type WriteBody = (page: Pick<FilledPage, 'html' | 'report'>) => string;

type ChargedPage = FilledPage & { readonly rateLimit?: RateLimitStatus };

type JudgedPage = Awaited<ReturnType<typeof judgeHtml>>;
type PageRequest = z.infer<typeof pageSchema>;

/**
 * Fills a page. If no image is filled, a unit of `work` is taken, because reading a page has a cost.
 * @param body JSON that is not validated yet
 */
export async function fillPage(
  services: Services,
  request: HttpRequest,
  caller: KeyedCaller,
  body: unknown,
  writeBody: WriteBody,
): Promise<ChargedPage | HttpRefusal> {
  const pageRequest = readBySchema(body, pageSchema);
  if ('refusal' in pageRequest) return pageRequest;
  const context = await readRequestContext(services, request, caller);
  const judgedPage = await judgePage(pageRequest, writeBody);
  const result =
    'refusal' in judgedPage
      ? judgedPage
      : await fillInBatches(services, request, caller, pageRequest, judgedPage);
  if ('html' in result && hasFilledImage(result)) return result;
  const workRefusal = await takeWork(services, context);
  return workRefusal ? { refusal: workRefusal } : result;
}

const hasFilledImage = ({ report }: FilledPage) => report.some(({ outcome }) => outcome === 'filled');

/** Finds the placeholders of a page. Refuses a page if it is too large, or if the response may be. */
async function judgePage(
  { html, replaceStock = false }: PageRequest,
  writeBody: WriteBody,
): Promise<JudgedPage | HttpRefusal> {
  try {
    const judgedPage = await judgeHtml(html, { replaceStock });
    // Lambda returns the body as a string in JSON.
    const bytes = Buffer.byteLength(
      JSON.stringify(writeBody({ html, report: listRows(html, judgedPage.places) })),
    );
    const isTooLong = bytes + computeMaxGrowth(judgedPage) > pageBounds.answerBytesMax;
    return isTooLong ? refuseParameter('html', responseBounds) : judgedPage;
  } catch (error) {
    if (error instanceof PageTooLarge) return refuseParameter('html', error.bounds);
    throw error;
  }
}

/** Computes how many bytes a page may grow by. The images with the longest markup count, and all drawings. */
function computeMaxGrowth({ places }: JudgedPage): number {
  let drawingBytes = 0;
  const bytesByImage = new Map<object, number>();
  for (const { image } of places) {
    // A `srcset` has a URL for each width, and three other attributes have one.
    const urlBytes = image ? (uptoWidthsPx.length + 3) * (700 + 9 * image.words.length) : 0;
    if (image && isToBeFound(image)) bytesByImage.set(image, (bytesByImage.get(image) ?? 0) + urlBytes);
    else if (image) drawingBytes += 1_200;
  }
  const largest = [...bytesByImage.values()].sort((a, b) => b - a).slice(0, pageBounds.imagesMax);
  return largest.reduce((sum, bytes) => sum + bytes, drawingBytes);
}

const responseBounds = `a page with a response of at most ${pageBounds.answerBytesMax / 1_000_000} MB`;

/** Fills a page by batches, until one is refused. If nothing is filled, the page is refused like that batch. */
async function fillInBatches(
  services: Services,
  request: HttpRequest,
  caller: KeyedCaller,
  { html: _html, publish, ...options }: PageRequest,
  judgedPage: JudgedPage,
): Promise<ChargedPage | HttpRefusal> {
  let rateLimit: RateLimitStatus | undefined;
  let lastRefusal: HttpRefusal | undefined;
  const findBatchImages: FindImages = async (batch) => {
    if (services.clock.nowMs() > services.deadline.endsMs - lastPageCallMs) return undefined;
    const batchOrRefusal = parseBatch({ ...batch, ...(publish !== undefined && { publish }) });
    const result = await answerBatch(services, request, batchOrRefusal, caller);
    if ('refusal' in result) {
      lastRefusal = result;
      return undefined;
    }
    rateLimit = result.rateLimit;
    return result.images;
  };
  const page = await fillJudgedPage(judgedPage, findBatchImages, {
    ...options,
    imagesMax: pageBounds.imagesMax,
  });
  if (lastRefusal && !hasFilledImage(page)) return lastRefusal;
  return { ...page, ...(rateLimit && { rateLimit }) };
}
