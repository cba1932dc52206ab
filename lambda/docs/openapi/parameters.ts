/** Describes the parameters of operations. */

import {
  type ParameterName,
  parameterNames,
  parameters,
  refusedCharacters,
  sidePattern,
  wordlessCharacters,
} from '../../contract/parameters';
import { queryCharactersMax } from '../../contract/request-bounds';
import { pathExtensions } from '../../requests/rendition';
import { pathText, writeTestValues } from '../sentences';

function describeQueryParameter(name: ParameterName) {
  const { purpose, example } = parameters[name];
  return {
    name,
    in: 'query',
    description:
      name === 'query' ? `${purpose} Required, except beside \`pick\`. ${writeTestValues()}` : purpose,
    schema: parameters[name].schema,
    ...(example !== undefined && { example }),
  };
}

const matchEitherCase = (text: string) =>
  text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
/** Matches an extension without words before it, in upper or lower case. Such a path is refused. */
const onlyExtension = `\\.(?:${pathExtensions.map(matchEitherCase).join('|')})$`;
const firstCharacter = `(?!${onlyExtension})[^${wordlessCharacters}+/${refusedCharacters}]`;
const otherCharacters = `[^${refusedCharacters}]{0,${queryCharactersMax - 1}}`;

function describeSegment(name: string, description: string, pattern: string, example: string) {
  return { name, in: 'path', required: true, description, example, schema: { type: 'string', pattern } };
}

/** Parameters by their names in `#/components/parameters`. */
export const parameterComponents = {
  spec: describeSegment(
    'spec',
    `Width, height and words as \`{width}x{height}-{words}\`. ${pathText}`,
    `^${sidePattern}x${sidePattern}[-_+ /]+${firstCharacter}${otherCharacters}$`,
    '1200x800-mountain-lake',
  ),
  id: describeSegment(
    'id',
    'The id of an AI image, as returned in `X-Image-Id` and `imageId`.',
    '^[0-9a-f]{32}$',
    '0123456789abcdef0123456789abcdef',
  ),
  keyId: describeSegment('id', 'The id of a key, signer or site key.', '^[\\w-]+$', 'key_0123456789abcdef01'),
  ...Object.fromEntries(
    parameterNames.filter((name) => name !== 'api_key').map((name) => [name, describeQueryParameter(name)]),
  ),
};
