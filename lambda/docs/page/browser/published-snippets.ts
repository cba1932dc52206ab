/** Writes the snippets of published images. None of them holds a secret: servers read it from their environment. */

import { type RequestValues, withParameters } from './request-url';
import { escapedText, imageTag } from './snippets';

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
