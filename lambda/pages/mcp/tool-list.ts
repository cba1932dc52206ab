/** The tools of the Model Context Protocol server, in as few words as a model needs. */

import { batchBounds } from '../../contract/batch';
import { imageParameters, type ParameterName, parameterTexts } from '../../contract/parameters';
import { schemaOf } from '../../requests/json-schema';
import type { ToolName } from './tool-names';

const text = { type: 'string' } as const;

/** What an image is asked for with. */
const image = Object.fromEntries(imageParameters.map((name) => [name, fieldOf(name)]));
/** The same by types alone: the values are listed once. */
const briefImage = Object.fromEntries(
  imageParameters.map((name) => [name, { type: schemaOf(name)['type'] }]),
);
const ofAi = imageParameters.filter((name) => parameterTexts[name].appliesTo === 'ai').join(', ');

/** A parameter without its default and its pattern, which take many tokens; what breaks them is refused with their bounds. */
function fieldOf(name: ParameterName): object {
  const { type, enum: values, minimum, maximum } = schemaOf(name);
  const { hint } = parameterTexts[name];
  return { ...(values ? { enum: values } : { type, minimum, maximum }), description: hint };
}

/** Tools of an open world by the protocol's default. */
const annotations = { readOnlyHint: true } as const;

interface Tool {
  readonly name: ToolName;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
  readonly annotations: typeof annotations;
}

export const toolList: readonly Tool[] = [
  {
    name: 'find_images',
    description: `All images of a page in one call, none twice: per slot url, alt, html, srcset, placeholder, credit, pick; or a problem. Charges one request per image found. With provider ai only: ${ofAi}.`,
    inputSchema: {
      type: 'object',
      properties: {
        page: { ...text, description: 'Never repeats an image on this page, across calls too' },
        images: {
          type: 'array',
          minItems: 1,
          maxItems: batchBounds.imagesMax,
          items: { type: 'object', properties: { slot: text, ...image }, required: ['slot', 'query'] },
        },
      },
      required: ['images'],
    },
    outputSchema: {
      type: 'object',
      properties: { images: { type: 'object' } },
      required: ['images'],
    },
    annotations,
  },
  {
    name: 'image_url',
    description: 'Builds the URL of one image for a page. Values as in find_images. No request, no charge.',
    inputSchema: { type: 'object', properties: briefImage, required: ['query'] },
    outputSchema: {
      type: 'object',
      properties: { url: text, srcset: text, width: { type: 'integer' }, height: { type: 'integer' } },
      required: ['url', 'srcset', 'width', 'height'],
    },
    annotations,
  },
  {
    name: 'credits',
    description: 'Credit lines of images by their pick from find_images.',
    inputSchema: {
      type: 'object',
      properties: {
        picks: { type: 'array', minItems: 1, maxItems: batchBounds.imagesMax, items: text },
      },
      required: ['picks'],
    },
    outputSchema: {
      type: 'object',
      properties: { credits: { type: 'object' } },
      required: ['credits'],
    },
    annotations,
  },
];
