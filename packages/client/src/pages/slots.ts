/** Puts the places of a page together that show one image: of a picture, a rule of CSS, the previews, a twin. */

import type { Size } from '../image-size';
import type { FindOptions, ImageWish, ShownImages } from './find-all';
import type { FillReason, ImagePlace } from './image-place';
import { filledAttribute, pickIn } from './image-places';
import { imageOf, languageOf, readTexts, type Words, wordsOf } from './image-words';
import { placeSize, sourceSize } from './place-size';
import { attribute, type Element, type Page, parentOf } from './read-page';

/** One place of a slot: which image it shows, and how large. */
export interface Shown extends Size {
  readonly reason: FillReason;
  /** Absent for an image that is drawn, and for a preview without words. */
  readonly wish?: ImageWish | undefined;
}

/** The places that show one image. */
export interface Slot {
  readonly words: Words;
  readonly shows: ReadonlyMap<ImagePlace, Shown>;
}

/** Sources whose ratio is so near that of their image show it as it is. */
const ratioTolerance = 0.02;

/** @param places in the order of the source */
export function slotsOf(page: Page, places: readonly ImagePlace[], options: FindOptions): Slot[] {
  const texts = readTexts(page);
  const groups = new Map<unknown, ImagePlace[]>();
  const twins = new Map<string, ImagePlace>();
  for (const place of places) {
    page.work.step();
    if (!('fill' in place.verdict)) continue;
    const key = keyOf(place, twins);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  const slots = [...groups.values()].map((group): Slot => {
    // What a picture shows is said by its image, in whose size the sources differ.
    const place = group.find(({ kind }) => kind !== 'source') ?? (group[0] as ImagePlace);
    const described = 'fill' in place.verdict ? place.verdict : {};
    const { isRound, ...size } = placeSize(place, described);
    const words = wordsOf(place, page, texts, isRound);
    const image = imageOf(place.element);
    const filled = place.kind === 'source' && image ? pickIn(attribute(image, 'src') ?? '') : undefined;
    const lang = words.isOfUrl ? undefined : (options.lang ?? languageOf(place.element));
    const isFound = words.text !== '' && words.person === undefined && !words.isLogo;
    const wish: ImageWish | undefined = isFound
      ? { words: words.text, lang, ...size, ...(filled && { of: filled }) }
      : undefined;
    const shows = group.map((each): [ImagePlace, Shown] => {
      const reason = 'fill' in each.verdict ? each.verdict.fill : 'placeholder';
      const own =
        each.kind === 'source' ? sourceSize(each, 'fill' in each.verdict ? each.verdict : {}, size) : size;
      const isAlike = Math.abs((own.width * size.height) / (own.height * size.width) - 1) <= ratioTolerance;
      const isWished = isAlike || !wish ? wish : { ...wish, ...own, of: wish.of ?? wish };
      return [each, { ...own, reason, wish: isWished }];
    });
    return { words, shows: new Map(shows) };
  });
  return withPreloads(slots, places);
}

/** What the places that show one image have in common. @param twins images by what stands in them */
function keyOf(place: ImagePlace, twins: Map<string, ImagePlace>): unknown {
  const { kind, element, selector, url } = place;
  const picture = parentOf(element);
  if (kind === 'preview') return 'preview';
  if (kind === 'css') return selector === undefined ? element : `rule ${selector}`;
  if (picture?.tagName === 'picture' && (kind === 'source' || imageOf(element) === element || kind === 'img'))
    return picture;
  if (kind !== 'img' || url === '') return place;
  // <noscript> repeats an image for browsers without scripts.
  const twin = `${url} ${attribute(element, 'alt') ?? ''}`;
  const isRepeated = isWithin(element, 'noscript');
  const first = twins.get(twin);
  if (!isRepeated) twins.set(twin, place);
  return isRepeated && first ? first : place;
}

function isWithin(element: Element, tagName: string): boolean {
  for (let each = parentOf(element); each; each = parentOf(each)) if (each.tagName === tagName) return true;
  return false;
}

/** An image that the page loads early is the same where it is shown. */
function withPreloads(slots: readonly Slot[], places: readonly ImagePlace[]): Slot[] {
  const preloads = places.filter(({ kind }) => kind === 'preload');
  if (preloads.length === 0) return [...slots];
  const byUrl = new Map<string, ImagePlace[]>();
  for (const place of preloads) byUrl.set(place.url, [...(byUrl.get(place.url) ?? []), place]);
  return slots.map((slot) => {
    const added = [...slot.shows].flatMap(([{ url }, shown]) => {
      const loading = byUrl.get(url) ?? [];
      byUrl.delete(url);
      return loading.map((place) => [place, shown] as const);
    });
    return added.length === 0 ? slot : { ...slot, shows: new Map([...slot.shows, ...added]) };
  });
}

/** The images of ours that a page shows. */
export function shownOn(places: readonly ImagePlace[]): ShownImages {
  const picks: string[] = [];
  const byWords = new Map<string, string[]>();
  for (const { url, element } of places) {
    const pick = pickIn(url);
    if (pick === undefined) continue;
    picks.push(pick);
    const words = attribute(element, filledAttribute)?.toLowerCase();
    if (words) byWords.set(words, [...(byWords.get(words) ?? []), pick]);
  }
  return { picks: [...new Set(picks)], byWords };
}
