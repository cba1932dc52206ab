/** Sentences that stand in several documents of the service, with code in backticks. */

import { formatsByExtension, ignoredExtensions } from '../requests/rendition';

/** Extensions in a sentence, such as `.png, .gif and .svg`. */
export function listOfExtensions(extensions: readonly string[], conjunction: 'and' | 'or'): string {
  const dotted = extensions.map((extension) => `\`.${extension}\``);
  return `${dotted.slice(0, -1).join(', ')} ${conjunction} ${dotted.at(-1)}`;
}

/** The words and the extension in a path. */
export const pathText = `\`-\`, \`_\`, \`+\`, \`/\` and spaces separate words. An extension at the end is no word: ${listOfExtensions(Object.keys(formatsByExtension), 'and')} name the format of images that the service makes itself; ${listOfExtensions(ignoredExtensions, 'and')} are not made and leave the format to the \`Accept\` header.`;

/** What becomes of names that are no parameter's. */
export const otherNamesText =
  '`q`, `w` and `h` are other names of `query`, `width` and `height`. Other names are ignored and named in `X-Image-Note`, with the one that was probably meant.';

/** The two forms of an error. */
export const errorText =
  'Errors are problem documents (RFC 9457). An image tag receives a card of the requested size with the same status and text, never a broken image.';
