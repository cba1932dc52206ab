/** The tool that puts images into an HTML page. */

import { fillPage as fill } from '../fill-page';
import { answered, failed, type Tool, text } from './tool';

/** The page comes back as text. */
export const fillPage: Tool = {
  description: () =>
    'Replaces placeholder images of HTML by photos that fit, and keeps all others. Call again with the result while left falls. One request per image.',
  input: () => ({ html: text }),
  required: ['html'],
  isReadOnly: false,
  call: async (services, request, input) => {
    const filled = await fill(services, request, input, (page) =>
      Buffer.byteLength(JSON.stringify(JSON.stringify(answered({ ...page }, page.html)))),
    );
    if ('refusal' in filled) return failed(filled.refusal);
    const { html, left, credits, report } = filled;
    return answered({ html, left, credits, report }, html);
  },
};
