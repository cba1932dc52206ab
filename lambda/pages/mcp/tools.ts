/** The tools of the Model Context Protocol server. A new one is a file like these, and a row here. */

import type { JSONObject, ListToolsResult } from '@modelcontextprotocol/server';
import { schemaOf } from '../../requests/json-schema';
import { buildImageUrl } from './build-image-url';
import { fillPage } from './fill-page';
import { findImages } from './find-images';
import type { Tool } from './tool';

/** Every tool by its name. */
export const tools: Readonly<Record<string, Tool>> = {
  find_images: findImages,
  fill_page: fillPage,
  build_image_url: buildImageUrl,
};

/** The tools as `tools/list` shows them. */
export function toolList(): ListToolsResult['tools'] {
  return Object.entries(tools).map(([name, { description, input, required, isReadOnly }]) => ({
    name,
    description: description(),
    inputSchema: {
      type: 'object',
      properties: input(schemaOf) as JSONObject,
      ...(required && { required: [...required] }),
    },
    // What is not said is the protocol's default; a tool that is not read-only only adds.
    annotations: isReadOnly ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: false },
  }));
}
