/** Writes the code snippets that the playground offers for a request. */

import { type RequestValues, withParameters } from './request-url';

export interface Snippets {
  readonly html: string;
  readonly markdown: string;
  readonly curl: string;
  readonly fetch: string;
}

const placeholder = 'YOUR_API_KEY';

/**
 * Snippets for a request. They never contain a key: where one is needed, a placeholder stands for it.
 * @param url URL of the request, as `urlOf` builds it
 */
export function snippetsOf(url: string, values: RequestValues, needsKey: boolean): Snippets {
  const alt = values.query.trim();
  const tagUrl = needsKey ? withParameters(url, [['api_key', placeholder]]) : url;
  const markdownUrl = tagUrl.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('*', '%2A');
  const options = needsKey ? `, {\n  headers: { Authorization: 'Bearer ${placeholder}' },\n}` : '';
  return {
    html: imageTag(tagUrl, values),
    markdown: `![${alt.replace(/[\\[\]<>]/g, '\\$&')}](${markdownUrl})`,
    // Clients drop this header when a redirect leaves the host, so the key is not sent to the host of the image.
    curl: `curl -L -o image.jpg ${needsKey ? `-H 'Authorization: Bearer ${placeholder}' ` : ''}'${url}'`,
    fetch: [
      `const response = await fetch('${withParameters(url, [['format', 'json']])}'${options});`,
      'const { url, attribution } = await response.json();',
    ].join('\n'),
  };
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** An image tag in the size of a request. */
export function imageTag(url: string, { query, width, height }: RequestValues): string {
  return `<img src="${escapedText(url)}" width="${width}" height="${height}" alt="${escapedText(query.trim())}" loading="lazy">`;
}

/** Text for an HTML attribute between double quotes. */
export function escapedText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}
