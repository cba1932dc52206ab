/** Parses the body of a batch into valid requests, or into a refusal that names each fault. */

import * as z from 'zod/mini';
import { imageParameters, parameters } from '../contract/parameters';
import { batchBounds, pickPattern, type Style } from '../contract/request-bounds';
import { listSchemaFaults } from '../http/read-body';
import type { ParameterFault, ParameterRefusal } from '../problems/problem';
import { writeReceived } from '../problems/received';
import { writeIgnoredNote } from '../requests/ignored-note';
import { makeAiRequest } from '../requests/image-request';
import { findFaultRefusal, parseRequest, type RequestTexts, readParameters } from '../requests/parse-request';
import type { Batch, BatchEntry } from './serve-batch';

const { imagesMax, excludedMax, pageSlotCharactersMax } = batchBounds;

const slotPattern = new RegExp(`^[^\\u0000-\\u001f\\u007f-\\u009f]{1,${pageSlotCharactersMax}}$`, 'u');
const slotFault = `required, 1 to ${pageSlotCharactersMax} characters without control characters`;
/** The parameters that are numbers in JSON. A seed may be a number or a text. */
const numberNames: ReadonlySet<string> = new Set(['width', 'height', 'variation', 'alt']);
const textOrNumber = z.union([z.string(), z.number()], 'a string or a number');
const parameterSchemas = imageParameters.map((name) => {
  const textSchema = z.string(name === 'query' ? parameters.query.bounds : 'a string');
  const valueSchema = numberNames.has(name)
    ? z.number('a number')
    : name === 'seed'
      ? textOrNumber
      : textSchema;
  return [name, z.nullish(valueSchema).check(z.describe(parameters[name].bounds))] as const;
});

/** An image of a batch. The values of its parameters are validated as in a URL, not by this schema. */
export const batchImageSchema = z.object(
  {
    slot: z.string(slotFault).check(
      z.regex(slotPattern, slotFault),
      z.refine((text) => text.isWellFormed(), slotFault),
      z.describe('Names the image within the page; different for each image.'),
    ),
    ...Object.fromEntries(parameterSchemas),
  },
  'a JSON object',
);

const excludeFault = `a list of at most ${excludedMax} picks`;
const imagesFault = `a list of 1 to ${imagesMax} images`;
/** The body of `POST /api/images`. `parseBatch` checks the rules that are not in this schema. */
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
          'Publishes the URLs with the newest signer of the account (true), with a signer or site key, or not (false).',
        ),
      ),
    images: z
      .array(batchImageSchema, imagesFault)
      .check(z.minLength(1, imagesFault), z.maxLength(imagesMax, imagesFault)),
  },
  'a JSON object',
);

export type ParsedBatch = Batch | { readonly refusal: ParameterRefusal };

type BatchBody = Partial<Pick<Batch, 'exclude' | 'publish'>> & { readonly images: readonly unknown[] };

/** Parses a batch and finds all of its faults. @param body JSON that is not validated yet */
export function parseBatch(body: unknown): ParsedBatch {
  const bodyFaults = listSchemaFaults(body, batchSchema.safeParse(body).error?.issues ?? []);
  // Without a list of images, or with too many, nothing more is checked.
  const listFaults = bodyFaults.filter(({ parameter }) => parameter === 'body' || parameter === 'images');
  if (listFaults.length > 0) return { refusal: { code: 'invalid_parameter', faults: listFaults } };
  const { exclude = [], images, publish } = body as BatchBody;
  const batchNote = writeIgnoredNote(Object.keys(body as object), Object.keys(batchSchema.shape), false);
  const entries: BatchEntry[] = [];
  const invalidFaults = [...bodyFaults];
  const conflicts: ParameterFault[] = [];
  for (const [index, image] of images.entries()) {
    const entryOrRefusal = parseImage(image, index, batchNote);
    if ('request' in entryOrRefusal) entries.push(entryOrRefusal);
    else if (entryOrRefusal.code === 'conflicting_parameters') conflicts.push(...entryOrRefusal.faults);
    else invalidFaults.push(...entryOrRefusal.faults);
  }
  invalidFaults.push(...findRepeatedPageSlots(images));
  const refusal = findFaultRefusal(invalidFaults, conflicts);
  return refusal ? { refusal } : { exclude, publish, entries };
}

/** Parses an image, or refuses it. The faults are those that the schema does not find. */
function parseImage(
  image: unknown,
  index: number,
  batchNote: string | undefined,
): BatchEntry | ParameterRefusal {
  if (!isObject(image)) return { code: 'invalid_parameter', faults: [] };
  const requestOrRefusal = parseRequest(readParameters({ query: readParameterTexts(image) }));
  if ('refusal' in requestOrRefusal) {
    const { code, faults } = requestOrRefusal.refusal;
    const place = `images[${index}]`;
    return { code, faults: faults.map((fault) => ({ ...fault, parameter: `${place}.${fault.parameter}` })) };
  }
  const request = { ...requestOrRefusal.request, asJson: true };
  // With `onmiss=ai`, the style is for the AI image that replaces a stock image.
  const isStyled = request.source !== 'ai' && request.filters.onmiss === 'ai' && image['style'] != null;
  const styledRequest = isStyled && {
    aiRequest: { ...makeAiRequest(request), style: image['style'] as Style },
  };
  const note = [batchNote, writeFieldsNote(image, isStyled)].filter(Boolean).join('; ');
  return { pageSlot: String(image['slot']), request, ...styledRequest, ...(note !== '' && { note }) };
}

function writeFieldsNote(image: Readonly<Record<string, unknown>>, isStyled: boolean): string | undefined {
  const names = Object.keys(image).filter((name) => image[name] != null && !(isStyled && name === 'style'));
  return writeIgnoredNote(names, ['slot', ...imageParameters], image['provider'] === 'ai');
}

function readParameterTexts(image: Readonly<Record<string, unknown>>): RequestTexts['query'] {
  const usableParameters = imageParameters
    .map((name) => [name, image[name]] as const)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(usableParameters.map(([name, value]) => [name, [String(value)]]));
}

function findRepeatedPageSlots(images: readonly unknown[]): readonly ParameterFault[] {
  const pageSlots = images.map((image) => (isObject(image) ? image['slot'] : undefined));
  const bounds = 'different from the slots of all other images';
  return pageSlots.flatMap((pageSlot, index) =>
    typeof pageSlot === 'string' && pageSlots.indexOf(pageSlot) < index
      ? [{ parameter: `images[${index}].slot`, bounds, received: writeReceived(pageSlot) }]
      : [],
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
