/** Sentences that stand in several documents of the service, with code in backticks. */

import { formatsByExtension, ignoredExtensions } from '../requests/rendition';

/** Lists extensions in a sentence, such as `.png, .gif and .svg`. */
export function listOfExtensions(extensions: readonly string[], conjunction: 'and' | 'or'): string {
  const dotted = extensions.map((extension) => `\`.${extension}\``);
  return `${dotted.slice(0, -1).join(', ')} ${conjunction} ${dotted.at(-1)}`;
}

/** Explains the words and the extension in a path. */
export const pathText = `\`-\`, \`_\`, \`+\`, \`/\` and spaces separate words. At the end, ${listOfExtensions(Object.keys(formatsByExtension), 'and')} set the format of images that the service makes itself; ${listOfExtensions(ignoredExtensions, 'and')} are dropped, and \`Accept\` sets it.`;

/** Explains short and unknown names of parameters. */
export const otherNamesText =
  '`q`, `w` and `h` stand for `query`, `width` and `height`. Unknown names are ignored; `X-Image-Note` has them, and the name that was probably meant.';

/** Explains the two forms of an error. */
export const errorText =
  'Errors are problem documents (RFC 9457). An image tag receives a card of the requested size with the same status and text, never a broken image.';
