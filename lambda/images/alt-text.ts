/** Chooses alternative text and title of a stock image from the texts of its provider, and cleans them. */

import { cutToLength } from '../base/text';
import { altCharactersMax } from '../contract/request-bounds';
import type { Candidate, Description, ServedImage } from './image';

/** Chooses alternative text, title and colour of a served image from its provider's description. */
export function chooseServedTexts({
  description,
}: Pick<Candidate, 'description'>): Pick<ServedImage, 'alt' | 'altLang' | 'title' | 'color'> {
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

/** Chooses the alternative text: the provider's own, else its title or tags; `undefined` if all are empty. */
export function chooseAltText(description: Pick<Description, 'alt' | 'title' | 'tags'>): string | undefined {
  const { alt, title, tags = [] } = description;
  return cleanTitle(alt) ?? cleanTitle(title) ?? cleanTitle(tags.join(', '));
}

/**
 * Removes the parts of file names from a text: extension, underscores, the camera's prefix and a number at
 * the end; `undefined` if no letter is left.
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
