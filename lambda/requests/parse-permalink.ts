/** Reads the parameters of a permalink; apart from those of a request, which every start of the image function loads. */

import { permalinkParameters } from '../contract/parameters';
import { type ParsedRequest, parseRequest, type RawRequest } from './parse-request';
import type { LabelledSize } from './rendition';

type ParsedPermalink =
  | {
      readonly outcome: 'valid';
      /** The sides that were given, and the label. */
      readonly size: Partial<LabelledSize>;
      readonly asJson: boolean;
    }
  | Extract<ParsedRequest, { outcome: 'refused' }>;

/** A permalink takes a size and a format; everything else about the image is settled. */
export function parsePermalink({ values }: RawRequest): ParsedPermalink {
  const given = permalinkParameters.map((name) => [name, values[name]]);
  const parsed = parseRequest({ values: { query: ['permalink'], ...Object.fromEntries(given) } });
  if (parsed.outcome === 'refused') {
    const { code, faults } = parsed.refusal;
    return { outcome: 'refused', refusal: { code, faults } };
  }
  const { widthPx, heightPx, label, asJson } = parsed.request;
  const size = {
    ...(values['width'] && { widthPx }),
    ...(values['height'] && { heightPx }),
    ...(label && { label }),
  };
  return { outcome: 'valid', size, asJson };
}
