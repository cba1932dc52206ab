/** The extensions at the end of a path, in words with code in backticks. */

import { formatsByExtension, ignoredExtensions } from '../requests/rendition';

/** A list in words, such as `.png, .gif and .svg`. */
export function listed(extensions: readonly string[], conjunction: 'and' | 'or'): string {
  const dotted = extensions.map((extension) => `\`.${extension}\``);
  return `${dotted.slice(0, -1).join(', ')} ${conjunction} ${dotted.at(-1)}`;
}

/** Those that name the format of a rendition. */
export const namedExtensions = listed(Object.keys(formatsByExtension), 'and');
/** Those of formats that are not made. */
export const unmadeExtensions = listed(ignoredExtensions, 'and');
