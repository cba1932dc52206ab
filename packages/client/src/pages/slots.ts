/** Puts the places of a page together that show one image: of a picture, a rule of CSS, the previews, a twin. */

import type { Size } from '../image-size';
import { drawnImage } from './drawn-image';
import type { ImageWish, ShownImages } from './find-all';
import type { ImagePlace } from './image-place';
import { filledAttribute, pickIn } from './image-places';
import { imageOf, languageOf, readTexts, type Words, wordsOf } from './image-words';
import { placeSize, sourceSize } from './place-size';
import { around, attribute, type Page, startOf } from './read-page';

/** The image that a place shows, in its size there. */
export interface Shown extends Size {
  readonly words: Words;
  /** None where it is drawn, and for a preview without words. */
  readonly wish?: ImageWish | undefined;
  /** The URL of one that is drawn. */
  readonly drawn?: string | undefined;
}

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
  const picks = new Set<string>();
  const byWords = new Map<string, string[]>();
  for (const { urls, element } of places) {
    const pick = pickIn(urls[0] ?? '');
    const words = attribute(element, filledAttribute)?.toLowerCase();
    if (pick !== undefined) picks.add(pick);
    if (pick !== undefined && words) byWords.set(words, [...(byWords.get(words) ?? []), pick]);
  }
  return { picks: [...picks], byWords };
}
