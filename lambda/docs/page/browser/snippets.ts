/** Writes the URL of a request from the values of the form, and the code snippets for it. None of them holds a secret. */

/** Values of the form as text by parameter; an option that is absent or empty is left out of the URL. */
export interface RequestValues {
  readonly query: string;
  readonly width: string;
  readonly height: string;
  readonly provider?: string;
  readonly onmiss?: string;
  readonly [option: string]: string | undefined;
}

/**
 * The shortest URL for a request: the path form where the words allow it, else the query form.
 * @param root root of the service, without a trailing slash; never holds a key
 */
export function urlOf(root: string, { query: text, width, height, ...given }: RequestValues): string {
  const query = text.trim().replace(/\s+/g, ' ');
  const options = Object.entries(given);
  if (/^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u.test(query)) {
    const words = query.split(' ').map(encodeURIComponent).join('-');
    return withParameters(`${root}/api/image/${width}x${height}-${words}`, options);
  }
  return withParameters(`${root}/api/image`, [
    ['query', query],
    ['width', width],
    ['height', height],
    ...options,
  ]);
}

/** A URL with more query parameters; those without a value are left out. */
export function withParameters(
  url: string,
  parameters: readonly (readonly [name: string, value: string | undefined])[],
): string {
  const pairs = parameters.flatMap(([name, value]) => (value ? [`${name}=${encoded(value)}`] : []));
  if (pairs.length === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** Percent-encoded so that the URL can stand between single quotes in a shell. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27').replaceAll('%20', '+').replaceAll('%2C', ',');
}

/** The same request as it stands in a page, a text, a shell and a program. */
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

/** The tag of one of a request's images, which shows that very image at every size. @param root as for `urlOf` */
export function pickedTag(
  root: string,
  { query, width, height, crop }: RequestValues,
  { pick, alt }: { readonly pick: string | null; readonly alt: string },
): string {
  const values = { query, width, height, crop, ...(pick !== null && { pick }) };
  return imageTag(urlOf(root, values), { ...values, query: alt });
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** An image tag in the size of a request. */
function imageTag(url: string, { query, width, height }: RequestValues): string {
  return `<img src="${escapedText(url)}" width="${width}" height="${height}" alt="${escapedText(query.trim())}" loading="lazy">`;
}

/** Text for an HTML attribute between double quotes. */
function escapedText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

/** A URL with its signature, or with a placeholder for it. */
export interface SignedUrl {
  readonly url: string;
  /** Unix seconds. */
  readonly expires?: number;
}

/** @param plain URLs that servers sign: of this size, and of every size up to it */
export function publishedSnippets(
  { url, expires }: SignedUrl,
  plain: { readonly url: string; readonly upto: string },
  values: RequestValues,
) {
  const alt = values.query.trim();
  const { width, height } = values;
  return {
    'signed-html': imageTag(url, values),
    'signed-next': [
      '// app/page.js, a server component: the secret stays in its environment',
      "import { createSigner, imageProps } from '@image-redirect/client';",
      '',
      'const signer = createSigner({',
      '  id: process.env.IMAGE_SIGNER_ID,',
      '  secret: process.env.IMAGE_SIGNER_SECRET,',
      '});',
      '',
      'export default async function Page() {',
      `  const signed = await signer.sign('${plain.upto}'${expires === undefined ? '' : `, { expires: ${expires} }`});`,
      `  return <img {...imageProps(signed, { layout: 'fullWidth', alt: ${JSON.stringify(alt)} })} />;`,
      '}',
    ].join('\n'),
    'signed-php': [
      '<?php',
      "require 'sign.php'; // node_modules/@image-redirect/client/signers/sign.php",
      `$url = sign('${plain.url}', getenv('IMAGE_SIGNER_ID'), getenv('IMAGE_SIGNER_SECRET')${expires === undefined ? '' : `, '${expires}'`});`,
      '?>',
      `<img src="<?= htmlspecialchars($url) ?>" width="${width}" height="${height}" alt="${escapedText(alt)}" loading="lazy">`,
    ].join('\n'),
  };
}

/** @param url of the request, with the site key */
export function siteSnippet(url: string, values: RequestValues): string {
  return values.provider === 'ai' || values.onmiss !== undefined
    ? 'A site key shows stock images only. Sign the URL of an image that AI may generate.'
    : imageTag(url, values);
}

/** URL to sign for every size up to that of the request. */
export function uptoUrl(root: string, { width, height, ...values }: RequestValues): string {
  const query = values.query.trim().replace(/\s+/g, ' ');
  return withParameters(`${root}/api/image`, [
    ...Object.entries({ ...values, query }),
    ['upto', `${width}x${height}`],
  ]);
}
