/** An image as models ask for it: as in a batch, but with `orientation`, and with `alternative` for `alt`. */

import { hints, imageParameters, parameters } from '../../contract/parameters';
import { sidePx } from '../../contract/request-bounds';
import { receivedAt } from '../../http/read-body';
import type { ParameterFault } from '../../problems/problem';
import { type ParsedBatch, parseBatch } from '../parse-batch';

/** The size of each orientation, in pixels. */
const sizes: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  landscape: { width: sidePx.defaultWidth, height: sidePx.defaultHeight },
  portrait: { width: 1_080, height: 1_350 },
  square: { width: 1_080, height: 1_080 },
};

const orientations = Object.keys(sizes);

/** JSON Schema of each field, without defaults, patterns and bounds, which would take many tokens. */
export function imageFields(): Readonly<Record<string, object>> {
  const fields = imageParameters.map((name) => {
    const { type, enum: values } = parameters[name].schema;
    const hint = hints[name];
    return [nameFor(name), { ...(values ? { enum: values } : { type }), description: hint }];
  });
  const description = `In place of a size, which is ${sidePx.defaultWidth} × ${sidePx.defaultHeight} by default`;
  return { ...Object.fromEntries(fields), orientation: { enum: orientations, description } };
}

/**
 * Returns the field of a parameter: `alternative` for `alt`, which is the alternative text in a record: a
 * model would send that back.
 */
function nameFor(name: string): string {
  return name.replace(/(^|\.)alt$/, '$1alternative');
}

/** Reads the input of a tool as a batch; faults name its fields. @param input not validated yet */
export function parseImages(input: Readonly<Record<string, unknown>>): ParsedBatch {
  const faults: ParameterFault[] = [];
  const asBatch = (image: unknown, index: number): unknown => {
    if (typeof image !== 'object' || image === null) return image;
    const { orientation, alternative, alt, ...rest } = image as Readonly<Record<string, unknown>>;
    const fault = (name: string, bounds: string) =>
      faults.push({ parameter: `images[${index}].${name}`, bounds, ...receivedAt(image, [name]) });
    if (alt != null) fault('alt', altFault);
    const size = typeof orientation === 'string' && Object.hasOwn(sizes, orientation) && sizes[orientation];
    if (orientation != null && !size) fault('orientation', `one of ${orientations.join(', ')}`);
    if (size && (rest['width'] != null || rest['height'] != null))
      fault('orientation', 'absent where width or height is given');
    return { ...rest, ...size, alt: alternative };
  };
  const { images } = input;
  const parsed = parseBatch({ ...input, images: Array.isArray(images) ? images.map(asBatch) : images });
  if (parsed.outcome === 'valid' && faults.length === 0) return parsed;
  const { refusal } = parsed.outcome === 'refused' ? parsed : { refusal: undefined };
  const others = refusal && 'faults' in refusal ? refusal.faults : [];
  const named = others.map((each) => ({ ...each, parameter: nameFor(each.parameter) }));
  const isConflict = faults.length === 0 && refusal?.code === 'conflicting_parameters';
  const code = isConflict ? 'conflicting_parameters' : 'invalid_parameter';
  return { outcome: 'refused', refusal: { code, faults: [...faults, ...named] } };
}

const altFault =
  'absent: the record brings the alternative text; alternative is the number of a public AI image of another account';
