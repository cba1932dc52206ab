/** The tool that puts images into an HTML page. */

import { keyHolderOf } from '../../http/http-request';
import { fillPage as fill } from '../fill-page';
import { answered, failed, type Tool, text } from './tool';

export const fillPage: Tool = {
  description: () =>
    'Puts images into an HTML page where it has none, placeholders or invented stock photos. Call again with the result while left is not 0. Charges one request per image.',
  input: () => ({ html: text, page: text }),
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
