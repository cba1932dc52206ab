/** The tool that puts images into an HTML page. */

import { keyHolderOf } from '../../http/http-request';
import { fillPage as fill } from '../fill-page';
import { answered, failed, type Tool, text } from './tool';

/** The page comes back as text. */
export const fillPage: Tool = {
  description: () =>
    'Fills missing, placeholder and invented images of HTML. Call again with the result until left is 0. One request per image.',
  input: () => ({ html: text }),
  required: ['html'],
  isReadOnly: false,
  call: async (deps, request, input) => {
    const caller = keyHolderOf(request);
    const filled = 'refusal' in caller ? caller : await fill(deps, request, input);
    if ('refusal' in filled) return failed(filled.refusal);
    const { html, left, report } = filled;
    return answered({ html, left, report }, html);
  },
};
