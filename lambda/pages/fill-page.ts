/** Answers `POST /api/pages`: an HTML page with images in its empty, dead and invented places, and a report of them. */

import * as z from 'zod/mini';
import { pageBounds } from '../contract/batch';
import { bounds } from '../contract/parameters';
import { languageTag, onMisses, styles } from '../contract/request-bounds';
import { rateHeaders } from '../http/answer-headers';
import { type HttpRequest, keyHolderOf } from '../http/http-request';
import type { HttpRefusal, HttpResult } from '../http/http-response';
import type { RateLimitStatus } from '../problems/problem';
import { type BatchDeps, type BatchResult, findImages, readJsonBody, readTextBody } from './batch';
import { parseBatch, receivedAt } from './parse-batch';

/** The JSON body. */
export const pageSchema = z.object(
  {
    html: z.string('required, the page as text').check(z.describe('The page, or a part of one.')),
    publish: z.exactOptional(z.union([z.boolean(), z.string()], 'true, false or the id of a credential')),
    style: z.exactOptional(z.enum(styles, `one of ${styles.join(', ')}`)),
    onmiss: z.exactOptional(z.enum(onMisses, 'ai, or absent')),
    replaceStock: z.exactOptional(
      z
        .boolean('true or false')
        .check(z.describe('Whether stock photos that may be real are replaced too; true by default.')),
    ),
    lang: z.exactOptional(z.string().check(z.regex(languageTag, bounds.lang))),
  },
  'a JSON object',
);

/** What became of one place of a page. */
export const filledImageSchema = z.object({
  slot: z.string(),
  line: z.int().check(z.describe('Line of the page, from 1.')),
  reason: z.enum([
    'missing',
    'marked',
    'changed',
    'placeholder',
    'invented',
    'stock',
    'does_not_load',
    'no_file',
  ]),
  was: z.string().check(z.describe('The URL that stood there, at most 200 characters of it.')),
  query: z.string(),
  width: z.int().check(z.describe('As laid out on the page, in CSS pixels.')),
  height: z.int(),
  outcome: z
    .enum(['filled', 'drawn', 'left'])
    .check(z.describe('drawn: a box or initials, see note. left: still to be filled, see problem.')),
  src: z.exactOptional(z.string().check(z.describe('The new URL.'))),
  problem: z.exactOptional(z.string()),
  note: z.exactOptional(z.string()),
});

/** The answer as JSON, beside the images: their schema is that of a batch. */
export const filledPageSchema = z.object({
  html: z.string(),
  left: z.int().check(z.describe('How many images the same call would fill when it is made again.')),
  report: z.array(filledImageSchema),
});

type Images = BatchResult['images'];

interface FilledPage extends Readonly<Omit<z.infer<typeof filledPageSchema>, 'report'>> {
  readonly images: Readonly<Record<string, object>>;
  readonly report: readonly z.infer<typeof filledImageSchema>[];
}

/** Fills a page; the client package's, which finds no image itself. */
export type FillHtml = (
  html: string,
  find: (batch: {
    readonly exclude: readonly string[];
    readonly images: readonly object[];
  }) => Promise<Images>,
  options: Omit<z.infer<typeof pageSchema>, 'html' | 'publish'> & { readonly imagesMax: number },
) => Promise<FilledPage>;

/** What a page is filled with. */
export interface PageDeps extends BatchDeps {
  readonly loadFillHtml: () => Promise<FillHtml>;
}

/** Answers with the page as HTML, or with JSON where the caller accepts it. */
export async function postPages(deps: PageDeps, request: HttpRequest): Promise<HttpResult> {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const body = readPage(request);
  if ('refusal' in body) return body;
  const result = await fillPage(deps, request, body.json);
  if ('refusal' in result) return result;
  const { rateLimit, ...page } = result;
  const asJson = /\bapplication\/json\b/i.test(request.header('accept') ?? '');
  return {
    status: 200,
    headers: {
      ...(rateLimit ? rateHeaders(rateLimit, deps.nowMs()) : {}),
      'Cache-Control': 'no-store',
      'Content-Type': `${asJson ? 'application/json' : 'text/html'}; charset=utf-8`,
      // The page is the caller's: where a browser shows it, it is no page of this origin.
      'Content-Security-Policy': 'sandbox',
    },
    body: asJson ? JSON.stringify(page) : page.html,
  };
}

function readPage(request: HttpRequest): { readonly json: unknown } | HttpRefusal {
  if (!/^text\/html\s*(;|$)/i.test(request.header('content-type') ?? ''))
    return readJsonBody(request, pageBounds.bytesMax);
  const body = readTextBody(request, pageBounds.bytesMax);
  return 'refusal' in body ? body : { json: { html: body.text } };
}

/** Ends the filling of a page whose images are refused as a whole. */
class Refused extends Error {
  override readonly name = 'Refused';
  constructor(readonly result: HttpRefusal) {
    super(result.refusal.code);
  }
}

/** @param given the body as JSON, not yet validated */
export async function fillPage(
  deps: PageDeps,
  request: HttpRequest,
  given: unknown,
): Promise<(FilledPage & { readonly rateLimit?: RateLimitStatus }) | HttpRefusal> {
  const parsed = pageSchema.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({
      parameter: path.join('.') || 'body',
      bounds: message,
      ...receivedAt(given, path),
    }));
    return { refusal: { code: 'invalid_parameter', faults } };
  }
  const { html, publish, ...options } = parsed.data;
  let rateLimit: RateLimitStatus | undefined;
  const find = async (batch: object): Promise<Images> => {
    const parsed = parseBatch({ ...batch, ...(publish !== undefined && { publish }) });
    const result = await findImages(deps, request, parsed);
    if ('refusal' in result) throw new Refused(result);
    rateLimit = result.rateLimit;
    return result.images;
  };
  try {
    const fillHtml = await deps.loadFillHtml();
    const { imagesMax } = pageBounds;
    const page = await fillHtml(html, find, { replaceStock: true, ...options, imagesMax });
    return { ...page, ...(rateLimit && { rateLimit }) };
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
}
