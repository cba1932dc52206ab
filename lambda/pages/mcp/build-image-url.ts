/** The tool that builds the URL of one image without a request: signed for every visitor, where the caller has a key. */

import { keyHolderOf } from '../../http/http-request';
import { noteOnUrls } from '../image-record';
import { published, requestUrl, srcsetOf } from '../image-urls';
import { publishAs } from '../publishing';
import type { BatchEntry } from '../serve-batch';
import { imageFields, parseImages } from './image-input';
import { answered, failed, type Tool } from './tool';

/** Costs nothing until the URL is viewed. */
export const buildImageUrl: Tool = {
  description: () => 'URL of one image. Values as in find_images. Charged when viewed.',
  // By types alone: the values are listed once.
  input: (schema) =>
    Object.fromEntries(
      Object.entries(imageFields(schema)).map(([name, { type = 'string' }]: [string, { type?: string }]) => [
        name,
        { type },
      ]),
    ),
  isReadOnly: true,
  call: async (services, http, input) => {
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
    const caller = keyHolderOf(http);
    const by = 'refusal' in caller ? undefined : await publishAs(services, caller, {});
    if (by && 'refusal' in by) return failed(by.refusal);
    const shown = published(request, by?.credential);
    const url = requestUrl(http.rootUrl, shown.request, shown.credential);
    const srcset = srcsetOf(http.rootUrl, shown.request, shown.credential);
    const { widthPx: width, heightPx: height } = request;
    const note = noteOnUrls({ source: request.provider }, by);
    return answered(
      { url, srcset, width, height, note },
      `url: ${url}`,
      `size: ${width} × ${height}`,
      ...(note === null ? [] : [`note: ${note}`]),
    );
  },
};
