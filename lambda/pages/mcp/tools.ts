/** The tools of the Model Context Protocol server: what each takes and returns, in as few words as a model needs, and what it does. */

import { batchBounds } from '../../contract/batch';
import { imageParameters, type ParameterName, parameterTexts } from '../../contract/parameters';
import { type HttpRequest, keyHolderOf } from '../../http/http-request';
import { asksForCredit } from '../../images/credit';
import { detailOf } from '../../problems/problem';
import type { schemaOf } from '../../requests/json-schema';
import { parseRequest } from '../../requests/parse-request';
import { type BatchDeps, type BatchResult, findImages } from '../batch';
import { fillPage, type PageDeps } from '../fill-page';
import { requestUrl, srcsetOf } from '../image-urls';

/** What a tool returns: structured content, and a summary of it for models that read only text, or the same `whole`. */
export type ToolResult =
  | {
      readonly content: Readonly<Record<string, unknown>>;
      readonly summary: string;
      readonly isWhole?: true;
    }
  | { readonly failure: string };

interface Tool {
  readonly description: () => string;
  /** Properties of its input by name, as JSON Schema. */
  readonly input: (schema: typeof schemaOf) => Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly output: Readonly<Record<string, object>>;
  readonly call: (deps: PageDeps, request: HttpRequest, input: unknown) => ToolResult | Promise<ToolResult>;
}

const text = { type: 'string' } as const;
const list = { type: 'array', minItems: 1, maxItems: batchBounds.imagesMax } as const;

/** Every tool by its name. */
export const tools = {
  find_images: {
    description: () => {
      const ofAi = imageParameters.filter((name) => parameterTexts[name].appliesTo === 'ai').join(', ');
      return `All images of a page in one call, none twice: per slot url, alt, html, srcset, placeholder, credit, pick; or a problem. Charges one request per image found. With provider ai only: ${ofAi}.`;
    },
    input: (schema) => {
      const image = Object.fromEntries(imageParameters.map((name) => [name, fieldOf(name, schema)]));
      const items = { type: 'object', properties: { slot: text, ...image }, required: ['slot', 'query'] };
      return {
        page: { ...text, description: 'Never repeats an image on this page, across calls too' },
        images: { ...list, items },
      };
    },
    required: ['images'],
    output: { images: { type: 'object' } },
    call: find,
  },
  fill_page: {
    description: () =>
      'Puts images into an HTML page where it has none, placeholders or invented stock photos, by the words that stand there. Call again with the result while left is not 0. Charges one request per image.',
    input: () => ({ html: text, page: text }),
    required: ['html'],
    output: { html: text, left: { type: 'integer' }, report: { type: 'array' } },
    call: fill,
  },
  image_url: {
    description: () =>
      'Builds the URL of one image for a page. Values as in find_images. No request, no charge.',
    // By types alone: the values are listed once.
    input: (schema) =>
      Object.fromEntries(imageParameters.map((name) => [name, { type: schema(name)['type'] }])),
    required: ['query'],
    output: { url: text, srcset: text, width: { type: 'integer' }, height: { type: 'integer' } },
    call: (_deps, { rootUrl }, input) => buildUrl(rootUrl, input),
  },
  credits: {
    description: () => 'Credit lines of images by their pick from find_images.',
    input: () => ({ picks: { ...list, items: text } }),
    required: ['picks'],
    output: { credits: { type: 'object' } },
    call: creditsOf,
  },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof tools;

/** A parameter without its default and its pattern, which take many tokens; what breaks them is refused with their bounds. */
function fieldOf(name: ParameterName, schema: typeof schemaOf): object {
  const { type, enum: values, minimum, maximum } = schema(name);
  const { hint } = parameterTexts[name];
  return { ...(values ? { enum: values } : { type, minimum, maximum }), description: hint };
}

/** The tools as `tools/list` shows them; their schemas are loaded on first need. */
export async function toolList(): Promise<readonly object[]> {
  const { schemaOf: schema } = await import('../../requests/json-schema');
  return Object.entries<Tool>(tools).map(([name, { description, input, required, output }]) => ({
    name,
    description: description(),
    inputSchema: { type: 'object', properties: input(schema), required },
    outputSchema: { type: 'object', properties: output, required: Object.keys(output) },
    // Tools of an open world by the protocol's default.
    annotations: { readOnlyHint: true },
  }));
}

async function find(deps: BatchDeps, request: HttpRequest, input: unknown): Promise<ToolResult> {
  const result = await findImages(deps, request, input);
  if ('refusal' in result) return { failure: detailOf(result.refusal) };
  return { content: { images: result.images }, summary: summaryOf(result.images) };
}

async function fill(deps: PageDeps, request: HttpRequest, input: unknown): Promise<ToolResult> {
  const caller = keyHolderOf(request);
  const filled = 'refusal' in caller ? caller : await fillPage(deps, request, input);
  if ('refusal' in filled) return { failure: detailOf(filled.refusal) };
  const { html, left, report } = filled;
  return { content: { html, left, report }, summary: html, isWhole: true };
}

/** A line for each slot: what the image shows and whom to credit, or what went wrong. */
function summaryOf(images: BatchResult['images']): string {
  const lines = Object.entries(images).map(([slot, image]) => {
    if ('code' in image) return `${slot}: ${image.detail}`;
    const { attribution, alt } = image;
    return `${slot}: ${alt}${asksForCredit(attribution.license) ? ` (${attribution.creditLine})` : ''}`;
  });
  return lines.join('\n');
}

async function creditsOf(deps: BatchDeps, request: HttpRequest, input: unknown): Promise<ToolResult> {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return { failure: detailOf(caller.refusal) };
  const { picks } = (input ?? {}) as { readonly picks?: unknown };
  const isPick = (pick: unknown): pick is string => typeof pick === 'string' && /^[\w-]{1,64}$/.test(pick);
  const { imagesMax } = batchBounds;
  if (!Array.isArray(picks) || picks.length < 1 || picks.length > imagesMax || !picks.every(isPick))
    return { failure: `picks: a list of 1 to ${imagesMax} picks of find_images.` };
  const credits = await Promise.all(
    picks.map(async (pick) => [pick, (await deps.credits.find(pick)) ?? null] as const),
  );
  const lines = credits.flatMap(([pick, credit]) => (credit ? [`${pick}: ${credit.creditLine}`] : []));
  const unknown = credits.length - lines.length;
  if (unknown > 0) lines.push(`${unknown} unknown ${unknown === 1 ? 'pick' : 'picks'}`);
  return { content: { credits: Object.fromEntries(credits) }, summary: lines.join('\n') };
}

/**
 * The URL of an image, built without a request.
 * @param sign makes a URL one that its account pays for; as it is without
 */
export async function buildUrl(
  rootUrl: string,
  input: unknown,
  sign: (url: string) => Promise<string> = async (url) => url,
): Promise<ToolResult> {
  const given = (input ?? {}) as Readonly<Record<string, unknown>>;
  const taken = imageParameters
    .filter((name) => given[name] != null)
    .map((name) => [name, [String(given[name])]]);
  const parsed = parseRequest({ values: Object.fromEntries(taken) });
  if (parsed.outcome === 'refused') return { failure: detailOf(parsed.refusal) };
  const { request } = parsed;
  const candidates = srcsetOf(rootUrl, request)
    .split(', ')
    .map((each) => each.split(' '));
  const signing = candidates.map(async ([url = '', width]) => `${await sign(url)} ${width}`);
  const [url, ...srcset] = await Promise.all([sign(requestUrl(rootUrl, request)), ...signing]);
  const { widthPx: width, heightPx: height } = request;
  return {
    content: {
      url,
      srcset: srcset.join(', '),
      width,
      height,
    },
    summary: `URL of an image of ${width} × ${height} pixels.`,
  };
}
