/** The tools of the Model Context Protocol server, in as few words as a model needs. */

import { batchBounds } from '../../../contract/batch';
import { imageSources } from '../../../contract/providers';
import { sidePx, styles } from '../../../contract/request-bounds';

export const toolNames = ['find_images', 'image_url', 'credits'] as const;
export type ToolName = (typeof toolNames)[number];

const text = { type: 'string' } as const;
const side = { type: 'integer', minimum: sidePx.min, maximum: sidePx.max } as const;

/** What an image is asked for with. */
const image = {
  query: { ...text, description: 'Two or three common words' },
  width: side,
  height: side,
  provider: { enum: imageSources },
  seed: { ...text, description: '"2" to "20": the 2nd to 20th match' },
  style: { enum: styles, description: 'With provider ai' },
} as const;

const annotations = { readOnlyHint: true, openWorldHint: true } as const;

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
    description:
      'All images of a page in one call, none twice: per slot url, alt, html, srcset, placeholder, credit, pick; or a problem. Charges one request per image found.',
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
      properties: { images: { type: 'object', additionalProperties: { type: 'object' } } },
      required: ['images'],
    },
    annotations,
  },
  {
    name: 'image_url',
    description: 'Builds the URL of one image for a page. No request, no charge.',
    inputSchema: { type: 'object', properties: image, required: ['query'] },
    outputSchema: {
      type: 'object',
      properties: { url: text, srcset: text, width: side, height: side },
      required: ['url', 'srcset', 'width', 'height'],
    },
    annotations,
  },
  {
    name: 'credits',
    description: 'Credit lines of images by their pick, as find_images returned it.',
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
