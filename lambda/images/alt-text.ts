/** Chooses the alternative text and the title of a stock image from its provider's texts, and cleans them. */

import { cutToLength } from '../base/text';
import { altCharactersMax } from '../contract/request-bounds';
import type { Description, ServedImage } from './image';

/** Chooses the alternative text, title and colour of an image. What its provider leaves out is absent. */
export function chooseServedTexts(
  description: Description,
): Pick<ServedImage, 'alt' | 'altLang' | 'title' | 'color'> {
  const { color, lang: altLang } = description;
  const alt = chooseAltText(description);
  const title = cleanTitle(description.title);
  return {
    ...(alt && { alt }),
    ...(alt && altLang && { altLang }),
    ...(title && { title }),
    ...(color && { color }),
  };
}

/** Chooses the provider's own alternative text, else the title, else the tags, else `undefined`. */
export function chooseAltText(description: Pick<Description, 'alt' | 'title' | 'tags'>): string | undefined {
  const { alt, title, tags = [] } = description;
  return cleanTitle(alt) ?? cleanTitle(title) ?? cleanTitle(tags.join(', '));
}

/**
 * Removes what a file name adds to a text: the extension, underscores, a camera's prefix and a number at the
 * end. Returns `undefined` if no letter is left.
 */
export function cleanTitle(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const title = text
    .replace(/^\s*file:/i, '')
    .replace(/\.(jpe?g|png|webp|avif|gif|tiff?|svg|bmp)\b/gi, '')
    // `IMG 0001` and `P1000123` name files, `MG 300` and `P1000` may name things.
    .replace(/(\b|_)((IMGP?|DSC[FN]?|PXL|GOPR|DJI|VID)[ _-]?\d{3,}|(MG|WP)[_-]?\d{4,}|P\d{7,})(\b|_)/g, ' ')
    .replace(/[_\s\p{Cc}]+/gu, ' ')
    .replace(/[\s(-]{0,3}\d{5,20}\)?\s?$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return /\p{L}/u.test(title) ? cutToLength(title, altCharactersMax) : undefined;
}
