/** Puts the places of a page together that show one image: of a picture, a rule of CSS, the previews, a twin. */

import type { Size } from '../image-size';
import type { Shown } from './fill-places';
import type { ShownImages } from './find-all';
import { filledAttribute, type ImagePlace, pickIn } from './image-places';
import { languageOf, readTexts, wordsOf } from './image-words';
import { placeSize, sourceSize } from './place-size';
import { around, attribute, imageOf, type Page, startOf } from './read-page';

/** Sources whose ratio is so near that of their image show it as it is. */
const ratioTolerance = 0.02;

/** @param places in the order of the source @returns those that are to be filled */
export function shownImages(page: Page, places: readonly ImagePlace[]): ReadonlyMap<ImagePlace, Shown> {
  const texts = readTexts(page);
  const theme = page.elements.find((each) => attribute(each, 'name') === 'theme-color');
  const tone = theme && attribute(theme, 'content');
  const twins = new Map<string, ImagePlace>();
  const groups = new Map<unknown, ImagePlace[]>();
  for (const place of places.filter(({ verdict }) => 'fill' in verdict)) {
    const key = keyOf(place, twins);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  const shown = new Map<ImagePlace, Shown>();
  for (const group of groups.values()) {
    // What a picture shows is said by its image, in whose size the sources differ.
    const place = group.find(({ kind }) => kind !== 'source') ?? (group[0] as ImagePlace);
    const { isRound, ...size } = placeSize(place);
    const words = wordsOf(place, texts, isRound);
    const image = place.kind === 'source' ? imageOf(place.element) : undefined;
    const of = image && pickIn(attribute(image, 'src') ?? '');
    const lang = words.isOfUrl ? undefined : languageOf(place.element);
    const isFound = words.text !== '' && words.name === undefined;
    const wish = { words: words.text, lang, ...size, ...(of && { of }) };
    for (const each of group) {
      const own = each.kind === 'source' ? sourceSize(each, size) : size;
      const isAlike = Math.abs((own.width * size.height) / (own.height * size.width) - 1) <= ratioTolerance;
      const turned = isAlike ? wish : { ...wish, ...own, of: of ?? wish };
      // Where a preview is shown, nothing that is drawn in the page is.
      const drawn = each.kind === 'preview' ? undefined : drawnImage(own, tone, words.name);
      shown.set(each, { words, ...own, ...(isFound ? { wish: turned } : { drawn }) });
    }
  }
  // An image that the page loads early is the same where it is shown.
  const byUrl = new Map([...shown].map(([{ urls }, each]) => [urls[0] ?? '', each]));
  for (const place of places) {
    const loaded = place.kind === 'preload' && byUrl.get(place.urls[0] ?? '');
    if (loaded) shown.set(place, loaded);
  }
  return shown;
}

/** What the places that show one image have in common. @param twins images by what stands in them */
function keyOf(place: ImagePlace, twins: Map<string, ImagePlace>): unknown {
  const { kind, element, selector, urls } = place;
  if (kind === 'preview') return 'preview';
  if (kind === 'css') return selector === undefined ? `style ${startOf(element)}` : `rule ${selector}`;
  const image = imageOf(element);
  if (kind === 'source' || image === element) return image ?? element.parentNode;
  // <noscript> repeats an image for browsers without scripts.
  const twin = `${urls.join(' ')} ${attribute(element, 'alt') ?? ''}`;
  if (kind !== 'img' || urls.length === 0) return place;
  if (around(element).some(({ tagName }) => tagName === 'noscript')) return twins.get(twin) ?? place;
  twins.set(twin, place);
  return place;
}

/** The images of ours that a page shows. */
export function picksOn(places: readonly ImagePlace[]): ShownImages {
  const found = places.flatMap(({ urls, element }) => {
    const pick = pickIn(urls[0] ?? '');
    return pick === undefined ? [] : [{ pick, words: attribute(element, filledAttribute)?.toLowerCase() }];
  });
  const byWords = new Map<string, string[]>();
  for (const { pick, words } of found) if (words) byWords.set(words, [...(byWords.get(words) ?? []), pick]);
  return { picks: [...new Set(found.map(({ pick }) => pick))], byWords };
}

/**
 * An image that is drawn in the page itself, where a photo would be wrong.
 * @param tone colour of the page as `#rrggbb`, for a box; another text counts as none
 * @param name whose initials are drawn; a quiet box without one
 * @returns a data URI
 */
export function drawnImage({ width, height }: Size, tone = '', name?: string): string {
  // First letters of the first and the last name; the first character where a name has no spaces.
  const names = name?.split(/\s+/).filter((part) => /^[\p{Lu}\p{Lo}]/u.test(part)) ?? [];
  const letters = [...new Set([0, names.length - 1])].map((index) => [...(names[index] ?? '')][0] ?? '');
  const isTone = name === undefined && /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(tone);
  const size = Math.round(Math.min(width, height) * 0.4);
  const text = `<text x="50%" y="50%" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="#33312e">${letters.join('')}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${isTone ? tone : '#d8d5cf'}"/>${names.length > 0 ? text : ''}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
