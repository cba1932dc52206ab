/** Parses the body of a batch into valid requests, or names each of its faults. */

import * as z from 'zod/mini';
import { imageParameters, parameters } from '../contract/parameters';
import { batchBounds, pickPattern, type Style } from '../contract/request-bounds';
import { describeFaults } from '../http/read-body';
import type { ParameterFault, ParameterRefusal } from '../problems/problem';
import { receivedText } from '../problems/received';
import { ignoredNote } from '../requests/ignored-note';
import { makeAiRequest } from '../requests/image-request';
import { parseRequest, type RequestTexts, readParameters, refuseFaults } from '../requests/parse-request';
import type { Batch, BatchEntry } from './serve-batch';

const { imagesMax, excludedMax, pageSlotCharactersMax } = batchBounds;

const slotPattern = new RegExp(`^[^\\u0000-\\u001f\\u007f-\\u009f]{1,${pageSlotCharactersMax}}$`, 'u');
const slotFault = `required, 1 to ${pageSlotCharactersMax} characters without control characters`;
/** Parameters that are numbers in JSON; a seed may also be a text. */
const numeric: ReadonlySet<string> = new Set(['width', 'height', 'variation', 'alt']);
const textOrNumber = z.union([z.string(), z.number()], 'a string or a number');
const fields = imageParameters.map((name) => {
  const textSchema = z.string(name === 'query' ? parameters.query.bounds : 'a string');
  const valueSchema = numeric.has(name) ? z.number('a number') : name === 'seed' ? textOrNumber : textSchema;
  return [name, z.nullish(valueSchema).check(z.describe(parameters[name].bounds))] as const;
});

/** One image of a batch; the values of its parameters are checked as those of a URL. */
export const batchImageSchema = z.object(
  {
    slot: z.string(slotFault).check(
      z.regex(slotPattern, slotFault),
      z.refine((text) => text.isWellFormed(), slotFault),
      z.describe('Names the image within the page; different for each image.'),
    ),
    ...Object.fromEntries(fields),
  },
  'a JSON object',
);

const excludeFault = `a list of at most ${excludedMax} picks`;
const imagesFault = `a list of 1 to ${imagesMax} images`;
/** The body of `POST /api/images`, as far as a schema says it. */
export const batchSchema = z.object(
  {
    exclude: z.exactOptional(
      z
        .array(
          z.string(parameters.pick.bounds).check(z.regex(pickPattern, parameters.pick.bounds)),
          excludeFault,
        )
        .check(
          z.maxLength(excludedMax, excludeFault),
          z.describe('Images that no entry shows, such as those that the page has already.'),
        ),
    ),
    publish: z
      .exactOptional(z.union([z.boolean(), z.string()], parameters.publish.bounds))
      .check(
        z.describe(
          'What the URLs are published with: true (the newest signer of the account), false, a signer or a site key.',
        ),
      ),
    images: z
      .array(batchImageSchema, imagesFault)
      .check(z.minLength(1, imagesFault), z.maxLength(imagesMax, imagesFault)),
  },
  'a JSON object',
);

/** A valid batch, or the refusal that names all of its faults. */
export type ParsedBatch = Batch | { readonly refusal: ParameterRefusal };

type BatchBody = Partial<Pick<Batch, 'exclude' | 'publish'>> & { readonly images: readonly unknown[] };

/**
 * Reads a batch, and names all of its faults.
 * @param body as JSON, not validated yet
 */
export function parseBatch(body: unknown): ParsedBatch {
  const bodyFaults = describeFaults(body, batchSchema.safeParse(body).error?.issues ?? []);
  // Without a list of images, or with too many, nothing more is checked.
  const listFaults = bodyFaults.filter(({ parameter }) => parameter === 'body' || parameter === 'images');
  if (listFaults.length > 0) return { refusal: { code: 'invalid_parameter', faults: listFaults } };
  const { exclude = [], images, publish } = body as BatchBody;
  const batchNote = ignoredNote(Object.keys(body as object), Object.keys(batchSchema.shape), false);
  const entries: BatchEntry[] = [];
  const invalid = [...bodyFaults];
  const conflicts: ParameterFault[] = [];
  for (const [index, image] of images.entries()) {
    const parsed = parseImage(image, index, batchNote);
    if ('request' in parsed) entries.push(parsed);
    else if (parsed.code === 'conflicting_parameters') conflicts.push(...parsed.faults);
    else invalid.push(...parsed.faults);
  }
  invalid.push(...repeatedPageSlots(images));
  const refusal = refuseFaults(invalid, conflicts);
  return refusal ? { refusal } : { exclude, publish, entries };
}

/** Reads one image, or refuses it for the faults that the schema of the batch does not name. */
function parseImage(
  image: unknown,
  index: number,
  batchNote: string | undefined,
): BatchEntry | ParameterRefusal {
  if (!isObject(image)) return { code: 'invalid_parameter', faults: [] };
  const parsed = parseRequest(readParameters({ query: valuesIn(image) }));
  if ('refusal' in parsed) {
    const { code, faults } = parsed.refusal;
    const place = `images[${index}]`;
    return { code, faults: faults.map((fault) => ({ ...fault, parameter: `${place}.${fault.parameter}` })) };
  }
  const request = { ...parsed.request, asJson: true };
  // With `onmiss=ai`, the style is that of the AI image in place of a stock image.
  const isStyled = request.source !== 'ai' && request.filters.onmiss === 'ai' && image['style'] != null;
  const styled = isStyled && { aiRequest: { ...makeAiRequest(request), style: image['style'] as Style } };
  const note = [batchNote, noteOnFields(image, isStyled)].filter(Boolean).join('; ');
  return { pageSlot: String(image['slot']), request, ...styled, ...(note !== '' && { note }) };
}

function noteOnFields(image: Readonly<Record<string, unknown>>, isStyled: boolean): string | undefined {
  const names = Object.keys(image).filter((name) => image[name] != null && !(isStyled && name === 'style'));
  return ignoredNote(names, ['slot', ...imageParameters], image['provider'] === 'ai');
}

function valuesIn(image: Readonly<Record<string, unknown>>): RequestTexts['query'] {
  const values = imageParameters
    .map((name) => [name, image[name]] as const)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(values.map(([name, value]) => [name, [String(value)]]));
}

function repeatedPageSlots(images: readonly unknown[]): readonly ParameterFault[] {
  const pageSlots = images.map((image) => (isObject(image) ? image['slot'] : undefined));
  const bounds = 'different from the slots of all other images';
  return pageSlots.flatMap((pageSlot, index) =>
    typeof pageSlot === 'string' && pageSlots.indexOf(pageSlot) < index
      ? [{ parameter: `images[${index}].slot`, bounds, received: receivedText(pageSlot) }]
      : [],
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
