/** The tool `image_url`: builds the URL of an image without asking anyone. */

import { imageParameters } from '../../contract/parameters';
import { detailOf } from '../../problems/problem';
import { parseRequest } from '../../requests/parse-request';
import { requestUrl, srcsetOf } from '../image-urls';
import type { ToolResult } from './protocol';

/** @param sign makes a URL one that its account pays for; as it is without */
export async function buildUrl(
  rootUrl: string,
  input: unknown,
  sign: (url: string) => Promise<string> = async (url) => url,
): Promise<ToolResult> {
  const given = (input ?? {}) as Readonly<Record<string, unknown>>;
  const taken = imageParameters
    .filter((name) => given[name] != null)
    .map((name) => [name, [String(given[name])]]);
  const parsed = parseRequest({ values: Object.fromEntries(taken) });
  if (parsed.outcome === 'refused') return { failure: detailOf(parsed.refusal) };
  const { request } = parsed;
  const candidates = srcsetOf(rootUrl, request)
    .split(', ')
    .map((each) => each.split(' '));
  const signing = candidates.map(async ([url = '', width]) => `${await sign(url)} ${width}`);
  const [url, ...srcset] = await Promise.all([sign(requestUrl(rootUrl, request)), ...signing]);
  const { widthPx: width, heightPx: height } = request;
  return {
    content: {
      url,
      srcset: srcset.join(', '),
      width,
      height,
    },
    summary: `URL of an image of ${width} × ${height} pixels.`,
  };
}
