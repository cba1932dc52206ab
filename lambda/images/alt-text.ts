/** The texts that a provider's image is served with, from what the provider said about it. */

import { altCharactersMax } from '../contract/request-bounds';
import type { Candidate, Description, ServedImage } from './image';

/** What an image is served with of what its provider said about it. */
export function describedBy({
  description,
}: Pick<Candidate, 'description'>): Pick<ServedImage, 'alt' | 'altLang' | 'title' | 'color'> {
  const { color, lang: altLang } = description;
  const alt = altTextOf(description);
  const title = cleaned(description.title);
  return {
    ...(alt && { alt }),
    ...(alt && altLang && { altLang }),
    ...(title && { title }),
    ...(color && { color }),
  };
}

/** The alternative text of the provider, else the title, else the tags; `undefined` when none of them says anything. */
export function altTextOf(description: Pick<Description, 'alt' | 'title' | 'tags'>): string | undefined {
  const { alt, title, tags = [] } = description;
  return cleaned(alt) ?? cleaned(title) ?? cleaned(tags.join(', '));
}

/**
 * A text without what comes from file names: the extension, underscores, a camera's name and a number at the end.
 * `undefined` when no letter is left.
 */
export function cleaned(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const words = text
    .replace(/^\s*file:/i, '')
    .replace(/\.(jpe?g|png|webp|avif|gif|tiff?|svg|bmp)\b/gi, '')
    .replace(/[_\s\p{Cc}]+/gu, ' ')
    .replace(/\b(IMG|DSC[FN]?|DSCN|PXL|P|MG|GOPR|DJI|WP|VID|IMGP)[ -]?\d{3,}\b/g, ' ')
    .replace(/[\s(-]{0,3}\d{5,20}\)?\s?$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return /\p{L}/u.test(words) ? shortened(words, altCharactersMax) : undefined;
}

/** A text of at most so many characters, cut between words where that leaves most of it. @param end stands for what is cut off */
export function shortened(text: string, charactersMax: number, end = '…'): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  // One character more: it may be the space that ends the last word.
  const cut = characters.slice(0, charactersMax - end.length + 1);
  const atWord = cut.join('').replace(/\s+\S*$/, '');
  const isMost = atWord.length > charactersMax / 2 && atWord.length < cut.join('').length;
  return `${isMost ? atWord : cut.slice(0, -1).join('')}${end}`;
}
