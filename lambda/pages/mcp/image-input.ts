/** Reads the images of a tool call. Their fields are those of a batch, except `orientation` and `alternative`. */

import { imageParameters, parameters } from '../../contract/parameters';
import { sidePx } from '../../contract/request-bounds';
import { readReceived } from '../../http/read-body';
import type { ParameterFault } from '../../problems/problem';
import { type ParsedBatch, parseBatch } from '../parse-batch';

const sizes: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  landscape: { width: sidePx.defaultWidth, height: sidePx.defaultHeight },
  portrait: { width: 1_080, height: 1_350 },
  square: { width: 1_080, height: 1_080 },
};

const orientations = Object.keys(sizes);

/** Lists the JSON Schema of each field, without defaults, patterns and bounds, because they take many tokens. */
export function listImageFields(): Readonly<Record<string, object>> {
  const fieldSchemas = imageParameters.map((name) => {
    const { type, enum: values } = parameters[name].schema;
    const description = parameters[name].hint;
    return [makeFieldName(name), { ...(values ? { enum: values } : { type }), description }];
  });
  const description = `In place of a size, which is ${sidePx.defaultWidth} × ${sidePx.defaultHeight} by default`;
  return { ...Object.fromEntries(fieldSchemas), orientation: { enum: orientations, description } };
}

/** Returns the field of a parameter. `alt` is renamed, because a model would send the text of a record back. */
function makeFieldName(name: string): string {
  return name.replace(/(^|\.)alt$/, '$1alternative');
}

/** Parses the input of a tool as a batch. Faults name the fields of the tool. @param input not validated yet */
export function parseImages(input: Readonly<Record<string, unknown>>): ParsedBatch {
  const { images } = input;
  if (!Array.isArray(images)) return parseBatch(input);
  const inputFaults = images.flatMap(findInputFaults);
  const batchOrRefusal = parseBatch({ ...input, images: images.map(makeBatchImage) });
  const { code = 'invalid_parameter', faults = [] } =
    'refusal' in batchOrRefusal ? batchOrRefusal.refusal : {};
  const batchFaults = faults.map((fault) => ({ ...fault, parameter: makeFieldName(fault.parameter) }));
  if (inputFaults.length > 0)
    return { refusal: { code: 'invalid_parameter', faults: [...inputFaults, ...batchFaults] } };
  return 'refusal' in batchOrRefusal ? { refusal: { code, faults: batchFaults } } : batchOrRefusal;
}

function findInputFaults(image: unknown, index: number): readonly ParameterFault[] {
  if (typeof image !== 'object' || image === null) return [];
  const { orientation, alt, width, height } = image as Readonly<Record<string, unknown>>;
  const size = findOrientationSize(orientation);
  const isUnknown = orientation != null && !size;
  const isConflict = size && (width != null || height != null);
  const makeFault = (name: string, bounds: string) => [
    { parameter: `images[${index}].${name}`, bounds, ...readReceived(image, [name]) },
  ];
  return [
    ...(alt == null ? [] : makeFault('alt', altFault)),
    ...(isUnknown ? makeFault('orientation', `one of ${orientations.join(', ')}`) : []),
    ...(isConflict ? makeFault('orientation', 'absent where width or height is given') : []),
  ];
}

function makeBatchImage(image: unknown): unknown {
  if (typeof image !== 'object' || image === null) return image;
  const { orientation, alternative, ...fields } = image as Readonly<Record<string, unknown>>;
  return { ...fields, ...findOrientationSize(orientation), alt: alternative };
}

const findOrientationSize = (orientation: unknown) =>
  typeof orientation === 'string' && Object.hasOwn(sizes, orientation) ? sizes[orientation] : undefined;

const altFault =
  'absent: the record brings the alternative text; alternative is the number of a public AI image of another account';
