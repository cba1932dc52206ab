/** Judges the URL of an image: nothing, a placeholder or a service that is gone, or a stock photo that may be invented. */

import type { FilledImage } from '../service';

/** Why an image is to be replaced, and what its URL says of the one that belongs there. */
export interface Replaceable {
  readonly reason: FilledImage['reason'];
  /** The words that stand in the URL. */
  readonly words?: string;
  /** Whether they are the name of a file, which says less than an alternative text. */
  readonly isFileName?: boolean;
  /** The size that stands in the URL, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** Services of placeholders and services that are gone, each with where its words stand, as the first group. */
const placeholders: readonly (readonly [url: RegExp, words?: RegExp, isFileName?: true])[] = [
  [/^(?:https?:\/\/[^/]+)?\/?placeholder\.(?:svg|png|jpe?g|webp)(?:[?#]|$)/, /[?&](?:query|text)=([^&#]*)/],
  [/\/api\/placeholder\/\d+/, /[?&]text=([^&#]*)/],
  [/^(?:https?:)?\/\/(?:www\.)?placehold\.(?:co|it)\//, /[?&]text=([^&#]*)/],
  [/^(?:https?:)?\/\/(?:via\.|www\.)?placeholder\.com\//, /[?&]text=([^&#]*)/],
  [/^(?:https?:)?\/\/(?:www\.)?dummyimage\.com\//, /[?&]text=([^&#]*)/],
  [/^(?:https?:)?\/\/(?:\w+\.)?picsum\.photos\//, /\/seed\/([^/?#]*)/],
  [/^(?:https?:)?\/\/(?:www\.)?loremflickr\.com\//, /\/\d+\/\d+\/([^/?#]*)/],
  [/^(?:https?:)?\/\/source\.unsplash\.com\//, /\?([^#=&?]+)(?:[&#]|$)/],
  [/^(?:https?:)?\/\/(?:www\.)?place(kitten)\.com\//, /place(kitten)/],
  [/^(?:https?:)?\/\/(?:www\.)?placeimg\.com\//, /\/\d+\/\d+\/([^/?#]*)/],
  [
    /^(?:https?:)?\/\/(?:[\w-]+\.)?example\.(?:com|org|net)(?:[/?#]|$)/,
    /\/([^/?#]*?)(?:\.\w+)?(?:[?#]|$)/,
    true,
  ],
];

/** Its file name holds the number of the photo. */
const pexelsId = {
  test: (id: string) => {
    const [, number, name] = /^photos\/(\d+)\/([\w-]+)\.\w+$/.exec(id) ?? [];
    return number !== undefined && name?.includes(number) === true;
  },
};

/** The id of a stock photo in a URL, and whether photos have ids of this form. */
const stocks: readonly (readonly [url: RegExp, wellFormed: { test(id: string): boolean }])[] = [
  [/^(?:https?:)?\/\/images\.unsplash\.com\/(photo-[^/?#]*)/, /^photo-\d{10,13}-[\da-f]{12}$/],
  [/^(?:https?:)?\/\/images\.pexels\.com\/(photos\/[^?#]*)/, pexelsId],
  [
    /^(?:https?:)?\/\/cdn\.pixabay\.com\/(photo\/[^?#]*)/,
    /^photo\/\d{4}\/[01]\d\/[0-3]\d\/[0-2]\d\/[0-5]\d\/[\w-]+-\d+_\d+\.\w+$/,
  ],
];

/** Texts that another program will replace: nothing in them is known yet. */
const isTemplate = (text: string) => /\{\{|\{%|<[%?]|\$\{|%7B%7B/i.test(text);

/**
 * What a URL alone says: `undefined` where nothing is wrong with it.
 * @param url decoded, as a browser reads it
 */
export function replaceableUrl(url: string): Replaceable | undefined {
  if (isTemplate(url)) return undefined;
  const text = url.trim();
  if (text === '' || text === '#' || text === 'about:blank') return { reason: 'missing' };
  if (text.startsWith('data:')) return isTinyDataUri(text) ? { reason: 'missing' } : undefined;
  const placeholder = placeholders.find(([pattern]) => pattern.test(text));
  if (placeholder) {
    const [, pattern, isFileName = false] = placeholder;
    const words = pattern?.exec(text)?.[1];
    const said = words && { words: wordsOfUrl(words), isFileName };
    return { reason: 'placeholder', ...sizeIn(text), ...said };
  }
  const id = stockId(text);
  return id && !id.isWellFormed ? { reason: 'invented', ...sizeIn(text) } : undefined;
}

/** The id of a stock photo that a URL names; photos of one upload time have one id. */
export function stockId(url: string): { readonly id: string; readonly isWellFormed: boolean } | undefined {
  for (const [pattern, wellFormed] of stocks) {
    const id = pattern.exec(url)?.[1];
    if (id !== undefined) return { id, isWellFormed: wellFormed.test(id) };
  }
  return undefined;
}

/**
 * The stock photos that stand for something else than the page says: of one upload time with several ids, or one id for
 * different words.
 * @param uses every stock URL of a page with the words that stand with it
 */
export function contradictions(
  uses: readonly (readonly [url: string, words: string])[],
): ReadonlySet<string> {
  const wordsOf = new Map<string, Set<string>>();
  const idsOf = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, value: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(value));
  for (const [url, words] of uses) {
    const id = stockId(url)?.id;
    if (id === undefined) continue;
    add(wordsOf, id, words);
    const time = /^photo-(\d+)-/.exec(id)?.[1];
    if (time) add(idsOf, time, id);
  }
  const several = [...idsOf.values()].filter((ids) => ids.size > 1).flatMap((ids) => [...ids]);
  return new Set([...several, ...[...wordsOf].flatMap(([id, words]) => (words.size > 1 ? [id] : []))]);
}

/** The size that a URL says: `width=&height=`, `w=&h=`, `600x400`, `/600/400`, `/300`. */
export function sizeIn(url: string): { readonly width?: number; readonly height?: number } {
  const parameter = (name: RegExp) => pixels(name.exec(url)?.[1]);
  const width = parameter(/[?&;](?:width|w)=(\d+)/);
  const height = parameter(/[?&;](?:height|h)=(\d+)/);
  if (width || height) return { ...(width && { width }), ...(height && { height }) };
  const path = url.split(/[?#]/)[0] ?? '';
  const [, w, h] = /\/(\d{2,4})(?:[x/](\d{2,4}))?(?=[/.]|$)/.exec(path.replace(/\/id\/\d+/, '')) ?? [];
  const [wide, high] = [pixels(w), pixels(h)];
  return wide ? { width: wide, height: high ?? wide } : {};
}

/** A number from 1 to 10,000 at the beginning of a text. */
export function pixels(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '');
  return value >= 1 && value <= 10_000 ? value : undefined;
}

/** Words that say what an image is for, not what it shows. */
const noise =
  /(?<![\p{L}\p{N}])(?:hero|banners?|backgrounds?|bg|covers?|thumb(?:nail)?s?|placeholders?|images?|img|photos?|pictures?|pics?|avatars?|sections?|cards?|slides?|screenshots?|untitled|default|samples?|examples?|dummy|random|featured?|all|seed|your|here|alt|text|icon|main|gallery|item|imagem|foto|画像|写真)(?![\p{L}\p{N}])/giu;

/** Whether a text says what an image shows. */
export function isTelling(text: string): boolean {
  return /\p{L}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(
    text.replace(noise, ''),
  );
}

/** Words from a part of a URL, empty where it has none: separators are spaces, what has digits is an id. */
function wordsOfUrl(part: string): string {
  const words = percentDecoded(part.replace(/\+/g, ' '))
    .split(/[-_,;|\\/\s]+/)
    .filter((word) => word && !/\d/.test(word));
  return words.join(' ').replace(noise, '').replace(/\s+/g, ' ').trim();
}

/** Sides of a GIF, PNG or SVG up to 4 pixels: a pixel that stands for an image. */
function isTinyDataUri(uri: string): boolean {
  const comma = uri.indexOf(',');
  if (comma < 0) return false;
  const [type = '', ...flags] = uri.slice('data:'.length, comma).split(';');
  const data = uri.slice(comma + 1);
  const isTiny = (width: number, height: number) => width <= 4 && height <= 4;
  if (type === 'image/svg+xml') {
    const svg = flags.some((flag) => /^base64/i.test(flag)) ? bytesOf(data).join('') : percentDecoded(data);
    const [, attributes = ''] = /<svg([^>]*)/.exec(svg) ?? [];
    const side = (name: string) => Number(new RegExp(`\\s${name}=["']?(\\d+)`).exec(attributes)?.[1]);
    return isTiny(side('width'), side('height'));
  }
  const at = (index: number) => bytesOf(data.slice(0, 40))[index]?.charCodeAt(0) ?? 255;
  if (type === 'image/gif') return isTiny(at(6) + 256 * at(7), at(8) + 256 * at(9));
  return type === 'image/png' && isTiny(at(19) + 256 * at(18), at(23) + 256 * at(22));
}

/** Characters of base64 that stand for one byte each; none where it is no base64. */
function bytesOf(base64: string): string[] {
  try {
    return [...atob(base64.replace(/\s/g, ''))];
  } catch {
    return [];
  }
}

/** What is no encoding is text. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
