/** The tool that builds the URL of one image without a request. */

import { requestUrl, srcsetOf } from '../image-urls';
import type { BatchEntry } from '../serve-batch';
import { imageFields, parseImages } from './image-input';
import { answered, failed, type Tool } from './tool';

export const imageUrl: Tool = {
  description: () => 'Builds the URL of one image. Values as in find_images. No request, no charge.',
  // By types alone: the values are listed once.
  input: (schema) =>
    Object.fromEntries(
      Object.entries(imageFields(schema)).map(([name, { type = 'string' }]: [string, { type?: string }]) => [
        name,
        { type },
      ]),
    ),
  required: ['query'],
  isReadOnly: true,
  call: (_deps, { rootUrl }, input) => {
    const parsed = parseImages({ images: [{ ...input, slot: 'url' }] });
    if (parsed.outcome === 'refused') {
      const { refusal } = parsed;
      if (!('faults' in refusal)) return failed(refusal);
      const faults = refusal.faults.map((each) => ({
        ...each,
        parameter: each.parameter.replace('images[0].', ''),
      }));
      return failed({ ...refusal, faults });
    }
    const [entry] = parsed.batch.entries;
    const request = { ...(entry as BatchEntry).request, asJson: false };
    const url = requestUrl(rootUrl, request);
    const srcset = srcsetOf(rootUrl, request);
    const { widthPx: width, heightPx: height } = request;
    return answered({ url, srcset, width, height }, `url: ${url}`, `size: ${width} × ${height}`);
  },
};
