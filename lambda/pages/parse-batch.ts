/** Parses the body of a batch into valid requests, or names each of its faults. */

import * as z from 'zod/mini';
import { imageParameters, parameters } from '../contract/parameters';
import { batchBounds, pickPattern, type Style } from '../contract/request-bounds';
import { faultsIn } from '../http/read-body';
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

/** Reads a batch, all of whose faults are named. @param body as JSON, not validated yet */
export function parseBatch(body: unknown): ParsedBatch {
  const faults = faultsIn(body, batchSchema.safeParse(body).error?.issues ?? []);
  const batchFaults = faults.filter(({ parameter }) => !parameter.startsWith('images['));
  // If there is no list of images, nothing more can be checked.
  if (batchFaults.some(({ parameter }) => !parameter.startsWith('exclude')))
    return { refusal: { code: 'invalid_parameter', faults: batchFaults } };
  const { exclude = [], images, publish } = body as BatchBody;
  const note = ignoredNote(Object.keys(body as object), Object.keys(batchSchema.shape), false);
  const entries = images.map((image, index) => parseImage(image, index, note));
  const refused = entries.filter((entry) => 'faults' in entry);
  const faultsOf = (code: ParameterRefusal['code']) =>
    refused.flatMap((refusal) => (refusal.code === code ? refusal.faults : []));
  const invalid = [...faults, ...faultsOf('invalid_parameter'), ...repeatedPageSlots(images)];
  const refusal = refuseFaults(invalid, faultsOf('conflicting_parameters'));
  return refusal
    ? { refusal }
    : { exclude, publish, entries: entries.filter((entry) => 'pageSlot' in entry) };
}

/** Reads one image, or refuses it with the names of its faults in the batch. @param batchNote on the batch */
function parseImage(
  image: unknown,
  index: number,
  batchNote: string | undefined,
): BatchEntry | ParameterRefusal {
  // The schema has named this fault already.
  if (!isObject(image)) return { code: 'invalid_parameter', faults: [] };
  const parsed = parseRequest(readParameters({ query: valuesIn(image) }));
  if ('request' in parsed) {
    const request = { ...parsed.request, asJson: true };
    // With `onmiss=ai`, the style is that of the AI image in place of a stock image.
    const isStyled = request.source !== 'ai' && request.filters.onmiss === 'ai' && image['style'] != null;
    const styled = isStyled && { aiRequest: { ...makeAiRequest(request), style: image['style'] as Style } };
    const note = [batchNote, noteOnFields(image, isStyled)].filter(Boolean).join('; ');
    return { pageSlot: String(image['slot']), request, ...styled, ...(note !== '' && { note }) };
  }
  const { code, faults } = parsed.refusal;
  const entryFaults = faults.map((fault) => ({ ...fault, parameter: `images[${index}].${fault.parameter}` }));
  return { code, faults: entryFaults };
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
