/** The parameters of the API, from the very schema that validates them. */

import {
  type ParameterName,
  parameterNames,
  parameterTexts,
  refusedCharacters,
} from '../../contract/parameters';
import { queryCharactersMax, sidePx } from '../../contract/request-bounds';
import { schemaOf } from '../../requests/json-schema';
import type { Parameter, Reference } from './types';

/** One query parameter. */
function queryParameter(name: ParameterName): Parameter {
  const { purpose, example } = parameterTexts[name];
  return {
    name,
    in: 'query',
    description: purpose,
    ...(name === 'query' ? { required: true } : {}),
    schema: schemaOf(name),
    ...(example === undefined ? {} : { example }),
  };
}

const side = sideDigits();
/** An extension at the end of a path, in either case: alone, it is no word. */
const onlyExtension = '\\.(?:[jJ][pP][eE]?[gG]|[wW][eE][bB][pP]|[aA][vV][iI][fF]|[pP][nN][gG])$';
const refused = refusedCharacters;

/** The segment of the path form. */
const specParameter: Parameter = {
  name: 'spec',
  in: 'path',
  required: true,
  description:
    'Width, height and words as `{width}x{height}-{words}`; words are separated by `-`, `_`, `+`, `/` or an encoded space. An extension at the end is no word: `.jpg`, `.jpeg`, `.webp` and `.avif` name the format of images that the service makes itself, and `.png` leaves the choice to the `Accept` header, as PNG is not made.',
  schema: {
    type: 'string',
    pattern: `^${side}x${side}[-_+ /]+(?!${onlyExtension})[^-_+\\s/${refused}][^${refused}]{0,${queryCharactersMax - 1}}$`,
  },
  example: '1200x800-mountain-lake',
};

/** The segment of a permalink. */
const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of an AI image, as returned in `X-Image-Id` and `imageId`.',
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  example: '0123456789abcdef0123456789abcdef',
};

/** All parameters, by the names that references use. The key is a security scheme. */
export const parameterComponents: Readonly<Record<string, Parameter>> = {
  spec: specParameter,
  id: idParameter,
  // A preflight succeeds for any segment.
  anySpec: { ...specParameter, schema: { type: 'string' } },
  anyId: { ...idParameter, schema: { type: 'string' } },
  ...Object.fromEntries(
    parameterNames.filter((name) => name !== 'api_key').map((name) => [name, queryParameter(name)]),
  ),
};

type PathParameterName = 'spec' | 'id' | 'anySpec' | 'anyId';

/** References to parameters, for an operation. */
export function withParameters(
  ...names: readonly (Exclude<ParameterName, 'api_key'> | PathParameterName)[]
): readonly Reference[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** A pattern of the whole numbers that a side may be. */
function sideDigits(): string {
  const { min, max } = sidePx;
  if (min !== 100 || max !== 4000) throw new Error('The pattern of a side is written for 100 to 4000.');
  return '(?:[1-9][0-9]{2}|[1-3][0-9]{3}|4000)';
}
