/** The parameters of the API, from the very schema that validates them. */

import * as z from 'zod/mini';
import { queryCharactersMax, seedCharactersMax, sidePx } from '../../../domain/request/image-request';
import { type ParameterName, parameterNames, parameters } from '../../redirect/request/parameters';
import type { Parameter, Reference, Schema } from './types';

/** JSON Schemas of the values that the parser works with: whole numbers, and text as it is after normalisation. */
const schemas = z.toJSONSchema(parameters, { io: 'output' }).properties as Readonly<
  Record<ParameterName, Schema>
>;

/** What each parameter is for, in words; its bounds stand in its schema. */
export const purposes: Readonly<Record<ParameterName, string>> = {
  query: 'What the image should show, in a few words of any language.',
  provider: 'Where the image comes from: one of three stock sources, or drawn by AI (needs a key).',
  width: 'Width of the image in pixels. The image is cropped to cover exactly this size.',
  height: 'Height of the image in pixels.',
  style: 'How an AI image looks. Has an effect with provider=ai only.',
  variation:
    'Another image of the same AI concept; the same number gives the same image. Free when the base image exists. Not together with alt.',
  alt: 'One of the public AI images that others have made for the same words. Free when there is one. Not together with variation.',
  visibility: 'Whether a new AI image stays with your account, or others may find it through alt.',
  seed: 'Any short text; picks another stock image for the same words, always the same one.',
  format:
    'json answers with the record as 200 instead of the redirect, which scripts in a browser cannot read.',
  api_key: 'The API key, for callers that cannot send a header. It is visible wherever the address is.',
};

/** Bounds that a pattern states for programs, stated once more for people. */
const lengths: Partial<Readonly<Record<ParameterName, Schema>>> = {
  query: { maxLength: queryCharactersMax, minLength: 1 },
  seed: { maxLength: seedCharactersMax },
};
const examples: Partial<Readonly<Record<ParameterName, unknown>>> = {
  query: 'mountain lake',
  width: 1200,
  height: 800,
  seed: 'landing page',
};

/** The schema of one parameter's value. */
export function schemaOf(name: ParameterName): Schema {
  return { ...schemas[name], ...lengths[name] };
}

/** One query parameter. */
function queryParameter(name: ParameterName): Parameter {
  const example = examples[name];
  return {
    name,
    in: 'query',
    description: purposes[name],
    ...(name === 'query' ? { required: true } : {}),
    schema: schemaOf(name),
    ...(example === undefined ? {} : { example }),
  };
}

const side = sideDigits();
const refused = '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\ufffd';

/** The segment of the path form. */
const specParameter: Parameter = {
  name: 'spec',
  in: 'path',
  required: true,
  description:
    'Width, height and words as `{width}x{height}-{words}`; words are separated by `-`, `_`, `+` or an encoded space.',
  schema: {
    type: 'string',
    pattern: `^${side}x${side}[-_+ ]+[^-_+\\s${refused}][^${refused}]{0,${queryCharactersMax - 1}}$`,
  },
  example: '1200x800-mountain-lake',
};

/** The segment of a permalink. */
const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of an AI image, as `X-Image-Id` and `imageId` name it.',
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  example: '0123456789abcdef0123456789abcdef',
};

/** All parameters, by the names that references use. The key is a security scheme. */
export const parameterComponents: Readonly<Record<string, Parameter>> = {
  spec: specParameter,
  id: idParameter,
  // A preflight is answered whatever the segment holds.
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
