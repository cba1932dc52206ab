/** Turns the body of a batch into valid requests, or into the list of everything that is wrong with it. */

import { batchBounds } from '../contract/batch';
import { imageParameters } from '../contract/parameters';
import type { ParameterFault, Refusal } from '../problems/problem';
import { parseRequest } from '../requests/parse-request';
import type { Batch, BatchEntry } from './serve-batch';

export type ParsedBatch =
  | { readonly outcome: 'valid'; readonly batch: Batch }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

const { imagesMax, nameCharactersMax } = batchBounds;
const name = new RegExp(`^[^\\p{Cc}]{1,${nameCharactersMax}}$`, 'u');
const nameBounds = `1 to ${nameCharactersMax} characters without control characters`;

type Fields = Readonly<Record<string, unknown>>;

export function parseBatch(body: unknown): ParsedBatch {
  if (!isObject(body)) return refused('invalid_parameter', [{ parameter: 'body', bounds: 'a JSON object' }]);
  const { page, images } = body;
  const faults: ParameterFault[] = [];
  if (page !== undefined && !isName(page)) faults.push({ parameter: 'page', bounds: nameBounds });
  if (!Array.isArray(images) || images.length < 1 || images.length > imagesMax)
    return refused('invalid_parameter', [
      ...faults,
      { parameter: 'images', bounds: `a list of 1 to ${imagesMax} images` },
    ]);

  const read = images.map((image, index) => readEntry(image, `images[${index}]`));
  const contradictions = read.flatMap((each) => ('conflicts' in each ? each.conflicts : []));
  faults.push(...read.flatMap((each) => ('faults' in each ? each.faults : [])), ...repeatedSlots(images));
  if (faults.length > 0) return refused('invalid_parameter', [...faults, ...contradictions]);
  if (contradictions.length > 0) return refused('conflicting_parameters', contradictions);
  const entries = read.flatMap((each) => ('entry' in each ? [each.entry] : []));
  return { outcome: 'valid', batch: { ...(isName(page) && { page }), entries } };
}

type ReadEntry =
  | { readonly entry: BatchEntry }
  | { readonly faults: readonly ParameterFault[] }
  | { readonly conflicts: readonly ParameterFault[] };

/** @param path of the entry in the body, for the faults */
function readEntry(image: unknown, path: string): ReadEntry {
  if (!isObject(image)) return { faults: [{ parameter: path, bounds: 'a JSON object' }] };
  const slot = image['slot'];
  const faults: ParameterFault[] = isName(slot)
    ? []
    : [{ parameter: `${path}.slot`, bounds: `required, ${nameBounds}` }];
  const given = imageParameters.flatMap((each) => {
    const value = image[each];
    if (value === undefined || value === null) return [];
    if (typeof value === 'string' || typeof value === 'number') return [[each, [String(value)]] as const];
    faults.push({ parameter: `${path}.${each}`, bounds: 'a string or a number' });
    return [];
  });
  const parsed = parseRequest({ values: Object.fromEntries(given) });
  if (parsed.outcome === 'valid')
    return faults.length > 0
      ? { faults }
      : { entry: { slot: String(slot), request: { ...parsed.request, asJson: true } } };
  const { refusal } = parsed;
  const named = ('faults' in refusal ? refusal.faults : []).map(({ parameter, bounds }) => ({
    parameter: `${path}.${parameter}`,
    bounds,
  }));
  const known = new Set(faults.map(({ parameter }) => parameter));
  const all = [...faults, ...named.filter(({ parameter }) => !known.has(parameter))];
  return refusal.code === 'conflicting_parameters' && faults.length === 0
    ? { conflicts: all }
    : { faults: all };
}

function repeatedSlots(images: readonly unknown[]): readonly ParameterFault[] {
  const slots = images.map((image) => (isObject(image) ? image['slot'] : undefined));
  return slots.flatMap((slot, index) =>
    isName(slot) && slots.indexOf(slot) < index
      ? [{ parameter: `images[${index}].slot`, bounds: 'different from the slots of all other images' }]
      : [],
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && name.test(value) && value.isWellFormed();
}

function refused(
  code: 'invalid_parameter' | 'conflicting_parameters',
  faults: readonly ParameterFault[],
): ParsedBatch {
  return { outcome: 'refused', refusal: { code, faults } };
}
