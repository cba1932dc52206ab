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
  const { width, height } = values;
  const tagUrl = needsKey ? withParameters(url, [['api_key', placeholder]]) : url;
  const markdownUrl = tagUrl.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('*', '%2A');
  const options = needsKey ? `, {\n  headers: { 'X-API-Key': '${placeholder}' },\n}` : '';
  return {
    html: `<img src="${escaped(tagUrl)}" width="${width}" height="${height}" alt="${escaped(alt)}" loading="lazy">`,
    markdown: `![${alt.replace(/[\\[\]<>]/g, '\\$&')}](${markdownUrl})`,
    curl: needsKey ? curlWithKey(url) : `curl -L -o image.jpg '${url}'`,
    fetch: [
      `const response = await fetch('${withParameters(url, [['format', 'json']])}'${options});`,
      'const { url, attribution } = await response.json();',
    ].join('\n'),
  };
}

/** With -L, curl would send the key header on to the host of the redirect, so this asks for the image's URL first. */
function curlWithKey(url: string): string {
  const imageUrl = `$(curl -sS -o /dev/null -w '%{redirect_url}' -H 'X-API-Key: ${placeholder}' '${url}')`;
  return `curl -o image.jpg "${imageUrl}"`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for an HTML attribute between double quotes. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}
