/** Writes the URL of a request, and code for it in several languages. Neither contains a key. */

import type { ImageRecord } from '../../../../packages/client/src/service';
import { escapeMarkup } from '../../../base/text';

/** The values of the form, by parameter. An option that is absent or empty is left out of the URL. */
export interface RequestValues {
  readonly query: string;
  readonly width: string;
  readonly height: string;
  readonly provider?: string;
  readonly onmiss?: string;
  readonly [option: string]: string | undefined;
}

/**
 * Writes the shortest URL of a request. It has the path form if the words allow that, else the query form.
 * @param root root of the service, without a trailing slash
 */
export function writeShortestUrl(
  root: string,
  { query: text, width, height, ...options }: RequestValues,
): string {
  const query = text.trim().replace(/\s+/g, ' ');
  if (!/^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u.test(query))
    return addParameters(`${root}/api/image`, { query, width, height, ...options });
  const words = encodeURIComponent(query.replaceAll(' ', '-'));
  return addParameters(`${root}/api/image/${width}x${height}-${words}`, options);
}

/** Adds query parameters to a URL. The result may stand in single or double quotes. Empty values are left out. */
export function addParameters(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(pairs).toString().replaceAll('%2C', ',');
  return query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** Returns true if a request needs a key. */
export const isKeyRequired = ({ provider, onmiss }: RequestValues): boolean =>
  provider === 'ai' || onmiss !== undefined;

const unpublishedText =
  'Show the image with an API key: its record has URLs that are signed for every visitor.';

/**
 * Writes code for a request, by language. URLs of pages are signed. Programs get `YOUR_API_KEY` in place of a key.
 * @param url as `writeShortestUrl` writes it
 * @param hasKey true if the form has a key
 * @param publishedRecord the signed URLs and texts of the record. Absent without a key, and until the image is shown.
 */
export function writeSnippets(
  url: string,
  values: RequestValues,
  hasKey: boolean,
  publishedRecord?: Pick<ImageRecord, 'src' | 'srcset' | 'html' | 'alt' | 'note'>,
) {
  const isKeyed = hasKey || isKeyRequired(values);
  const src = publishedRecord ? publishedRecord.src : isKeyRequired(values) ? null : url;
  const json = addParameters(url, { format: 'json' });
  const alt = publishedRecord?.alt ?? values.query.trim();
  const reason = publishedRecord?.note ?? unpublishedText;
  // curl drops `Authorization` when a redirect leaves the host, so the host of the image gets no key.
  const curlHeader = isKeyed ? "-H 'Authorization: Bearer YOUR_API_KEY' " : '';
  const { width, height } = values;
  const sizes = publishedRecord?.srcset
    ? ` srcSet="${escapeMarkup(publishedRecord.srcset)}" sizes="(min-width: ${width}px) ${width}px, 100vw"`
    : '';
  const reactTag = `<img src="${escapeMarkup(src ?? '')}"${sizes} width={${width}} height={${height}} alt="${escapeMarkup(alt)}" loading="lazy" />`;
  const pythonHeaders = isKeyed ? ', headers={"X-API-Key": "YOUR_API_KEY"}' : '';
  return {
    HTML: src === null ? `<!-- ${reason} -->` : (publishedRecord?.html ?? writeImageTag(src, values)),
    Markdown: src === null ? `[//]: # (${reason})` : `![${escapeMarkdown(alt)}](${escapeMarkdownUrl(src)})`,
    React: src === null ? `{/* ${reason} */}` : reactTag,
    curl: `curl -L -o image.jpg ${curlHeader}'${url}'`,
    Python: `import json
from urllib.request import Request, urlopen

request = Request("${json}"${pythonHeaders})
record = json.load(urlopen(request))
print(record["url"], record["attribution"]["creditLine"])`,
  };
}

/** Writes the tag of one image of a request. The URL has the pick of the image. */
export function writePickedTag(
  root: string,
  { query, width, height, crop }: RequestValues,
  { pick, alt }: { readonly pick: string | null; readonly alt: string },
): string {
  const pickedValues = { query, width, height, crop, ...(pick !== null && { pick }) };
  return writeImageTag(writeShortestUrl(root, pickedValues), { ...pickedValues, query: alt });
}

const escapeMarkdown = (text: string) => text.replace(/[\\[\]<>]/g, '\\$&');
const escapeMarkdownUrl = (url: string) =>
  url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('*', '%2A');

/** Writes an image tag with the size and the words of a request. */
export function writeImageTag(url: string, { query, width, height }: RequestValues): string {
  return `<img src="${escapeMarkup(url)}" width="${width}" height="${height}" alt="${escapeMarkup(query.trim())}" loading="lazy">`;
}
