/** Reads from words what a scene shows: its subjects, its place, its light and its weather. */
import table from '../data/words.json';
import { type Composition, compositions } from './compositions';
import type { Place, Time } from './landscapes';

/** The season of land, trees and water. */
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';
type Weather = 'cloudy' | 'fog' | 'rain' | 'snow';

/** The light of the words; what they leave open is absent. */
export interface Mood {
  readonly time?: Time;
  readonly season?: Season;
  readonly weather?: Weather;
}

/** The reading of a text: what its scene shows. */
export interface Reading {
  /** Names of drawings in `data/drawings.json`, the main one first; at most two. */
  readonly drawings: readonly string[];
  /** A picture that is composed by hand, in place of drawings. */
  readonly composition?: Composition;
  readonly place: Place;
  /** Other places that the words name, which may be seen far off. */
  readonly backdrops: readonly Place[];
  readonly mood: Mood;
  /** The things seen, in English: `dog`, `beach`. Empty where the words name nothing drawable. */
  readonly shown: readonly string[];
  /** The words of the text that name it, in lower case. */
  readonly named: readonly string[];
  /** Whether everything that the text names is seen. */
  readonly isWhole: boolean;
}

type Scenery = Mood & { readonly place?: Place };

/** Subjects that are no drawing, but set the place or the mood of a scene. */
const sceneries: readonly (readonly [subjects: string, Scenery])[] = [
  ['lake, national-park', { place: 'lake' }],
  ['mountain, snow-capped-mountain, mount-fuji', { place: 'mountains' }],
  ['sunrise-over-mountains', { place: 'mountains', time: 'dawn' }],
  ['beach-with-umbrella, desert-island', { place: 'beach' }],
  ['water-wave', { place: 'sea' }],
  ['desert', { place: 'desert' }],
  ['evergreen-tree', { place: 'forest' }],
  ['maple-leaf, fallen-leaf', { place: 'forest', season: 'autumn' }],
  ['meadow', { place: 'meadow' }],
  ['spring', { place: 'meadow', season: 'spring' }],
  ['cityscape', { place: 'city' }],
  ['cityscape-at-dusk', { place: 'city', time: 'dusk' }],
  ['milky-way, star, glowing-star, crescent-moon, full-moon', { place: 'stars', time: 'night' }],
  ['snowflake', { place: 'winter', season: 'winter' }],
  ['cloud-with-snow', { place: 'winter', weather: 'snow', season: 'winter' }],
  ['night-with-stars', { time: 'night' }],
  ['sunrise', { time: 'dawn' }],
  ['sunset', { time: 'sunset' }],
  ['sun', { time: 'day' }],
  ['golden-hour', { time: 'golden' }],
  ['cloud', { weather: 'cloudy' }],
  ['fog, foggy', { weather: 'fog' }],
  ['cloud-with-rain, cloud-with-lightning-and-rain', { weather: 'rain' }],
];
const sceneryBySubject = new Map(
  sceneries.flatMap(([names, scenery]) => names.split(', ').map((name) => [name, scenery] as const)),
);

/** Places by precedence: of several that words name, the first is drawn in front, the others far off. */
const frontPlaces = 'lake beach sea meadow winter desert stars forest city mountains'.split(' ');

/** The place of a scene whose words name none. */
function usualPlace({ time, weather }: Mood): Place {
  if (weather === 'fog') return 'forest';
  if (weather === 'rain') return 'city';
  if (weather === 'cloudy') return 'mountains';
  if (time === 'night') return 'stars';
  return time ? 'sea' : 'studio';
}

/** The tokens of a text, as in `data/words.json`: in lower case, each Chinese or Japanese sign by itself. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Words that name no subject, in the languages of the table: colours, sizes, praise, terms of web pages. */
export const vagueWords: ReadonlySet<string> = new Set(
  (
    'red orange yellow green blue purple pink brown black white grey gray gold golden silver color colour dark light bright ' +
    'big small large little tall long short old new young modern vintage classic fresh clean good best great nice beautiful pretty ' +
    'cute cool fun fast slow hot cold warm open closed close full empty high low top left right up down front back free easy ' +
    'a an and the of for with without in on at by to from near over under is are no not my your our their this that ' +
    'or what male female aerial tropical de la el los las del en con un una para por o os as do da dos das em com um uma der die das ein eine und im mit von für le les des et ' +
    'noir rouge bleu vert blanc rojo azul verde negro blanco preto branco rot blau grün schwarz weiß une du au aux dans il lo gli e di che の に は を と が で ' +
    'place thing object item face person people human body part set group kind type one two three first last day time year ' +
    'image photo picture background banner hero icon symbol sign emoji illustration drawing wallpaper template design style view scene ' +
    'be do go get make made have has can will use using work working looking holding sitting standing wearing rest portrait interior skyline photography headshot confident concept closeup fruit'
  ).split(' '),
);

/** Words that separate two things: `woman | with laptop`. */
const breaks = new Set(
  'with without in on at by from near under over and im am mit auf und en con y com e sur avec et'.split(' '),
);

/** A drawing, a composition or a scenery, by its name. */
interface Subject {
  readonly name: string;
  readonly place: Place;
  readonly isForeign: boolean;
  readonly composition?: Composition;
  readonly scenery?: Scenery | undefined;
}

const index = new Map<string, Subject>();
const wordTable = table as unknown as Readonly<Record<string, readonly [Place, string, string]>>;
for (const foreign of [1, 0])
  for (const [name, [place, ...lists]] of Object.entries(wordTable)) {
    const subject = { name, place, isForeign: foreign === 1, scenery: sceneryBySubject.get(name) };
    for (const word of (lists[foreign] ?? '').split(',')) if (word !== '') index.set(word, subject);
  }
for (const [names, composition] of Object.entries(compositions))
  for (const name of names.split(', ')) {
    const { place } = composition;
    index.set(tokensOf(name).join(' '), { name: names, place, isForeign: false, composition });
  }

/** Longest name of a subject, in tokens. */
const tokensMax = 6;

/** A token, then without the ending of a plural in English, Spanish, Portuguese, French, Italian or German. */
const formsOf = (token: string): readonly string[] => [
  token,
  ...(token.endsWith('ies') ? [token.replace(/ies$/, 'y')] : []),
  ...[/s$/, /es$/, /n$/, /en$/].flatMap((ending) =>
    token.length > 3 && ending.test(token) ? [token.replace(ending, '')] : [],
  ),
];

/** Terms of a text that belong together, and the subject that they name, if any. */
interface Piece {
  readonly words: string;
  readonly subject?: Subject;
}

/** The longest name of a subject that begins at a place in a text; else the one token there. */
function nameAt(
  tokens: readonly string[],
  from: number,
): { readonly length: number; readonly subject?: Subject } {
  for (let length = Math.min(tokensMax, tokens.length - from); length > 0; length -= 1) {
    const words = tokens.slice(from, from + length);
    for (const form of formsOf(words.pop() ?? '')) {
      const subject = index.get([...words, form].join(' '));
      if (subject) return { length, subject };
    }
  }
  return { length: 1 };
}

/** A text in pieces: the longest names in it, and each token between them. */
function piecesOf(text: string): readonly Piece[] {
  const tokens = tokensOf(text);
  const pieces: Piece[] = [];
  for (let from = 0; from < tokens.length; ) {
    const { length, ...named } = nameAt(tokens, from);
    const words = tokens.slice(from, from + length);
    const isSign = /^[^\p{Script=Latin}\p{Script=Cyrillic}]/u.test(words[0] ?? '');
    pieces.push({ words: words.join(isSign ? '' : ' '), ...named });
    from += length;
  }
  return pieces;
}

type SubjectPiece = Required<Piece>;

const isSubject = (piece: Piece | undefined): piece is SubjectPiece => piece?.subject !== undefined;
const isBreak = ({ words, subject }: Piece): boolean => !subject && breaks.has(words);
/** Whether a piece says something of the scene, as colours, praise and breaks do not. */
const isTelling = (piece: Piece): boolean =>
  isSubject(piece) || !(vagueWords.has(piece.words) || isBreak(piece));

/** The things in a text, one for each phrase between breaks. */
function headsIn(pieces: readonly Piece[]): readonly SubjectPiece[] {
  const phrases: Piece[][] = [[]];
  for (const piece of pieces)
    if (isBreak(piece)) phrases.push([]);
    else phrases.at(-1)?.push(piece);
  return phrases.map(headOf).filter(isSubject);
}

/**
 * The thing of a phrase, which its last word is: of `happy dog` the dog, of `wind instrument` nothing. Words
 * like `playing` may follow it. In other languages the first subject is the thing.
 */
function headOf(phrase: readonly Piece[]): Piece | undefined {
  let head: Piece | undefined;
  for (const piece of phrase.filter(isTelling)) {
    const followsThing = isSubject(head) && (head.subject.isForeign || /...ing$/.test(piece.words));
    if (!followsThing) head = piece;
  }
  return head;
}

/** The pieces without subjects of another language, unless the text is in one: `chat` in "live chat" is no cat. */
function piecesInOneLanguage(pieces: readonly Piece[]): readonly Piece[] {
  const isForeign = pieces.filter(isTelling).every(({ subject }) => subject?.isForeign);
  return isForeign
    ? pieces
    : pieces.map((piece) => (piece.subject?.isForeign ? { words: piece.words } : piece));
}

/** The mood of a scene: of each part what the first scenery says that has it, else the composition. */
function moodOf(sceneries: readonly Scenery[], composition: Composition | undefined): Mood {
  const time = sceneries.find((scenery) => scenery.time)?.time ?? composition?.time;
  const season = sceneries.find((scenery) => scenery.season)?.season;
  const weather = sceneries.find((scenery) => scenery.weather)?.weather;
  return { ...(time && { time }), ...(season && { season }), ...(weather && { weather }) };
}

/** The places that sceneries set, the one in front first. */
const placesOf = (sceneries: readonly Scenery[]): readonly Place[] =>
  sceneries
    .flatMap(({ place }) => place ?? [])
    .sort((a, b) => frontPlaces.indexOf(a) - frontPlaces.indexOf(b));

const englishName = ({ subject: { name, composition }, words }: SubjectPiece): string =>
  composition ? words : name.replace(/-(medium-)?(light|dark)$/, '').replaceAll('-', ' ');

/** Reads what a scene of a text shows. */
export function readWords(text: string): Reading {
  const allPieces = piecesOf(text);
  const pieces = piecesInOneLanguage(allPieces);
  const surroundings = pieces.filter(isSubject).filter(({ subject }) => subject.scenery);
  const sceneries = surroundings.flatMap(({ subject }) => subject.scenery ?? []);
  const things = headsIn(pieces).filter(({ subject }) => !subject.scenery);
  const drawn = [...new Map(things.map((thing) => [thing.subject.name, thing])).values()].slice(0, 2);
  const composed = drawn.find(({ subject }) => subject.composition);
  const composition = composed?.subject.composition;
  const mood = moodOf(sceneries, composition);
  const places = placesOf(sceneries);
  const main = composition?.place ?? places[0] ?? drawn[0]?.subject.place ?? usualPlace(mood);
  const seen = [...(composed ? [composed] : drawn), ...surroundings];
  const named = seen.map(({ words }) => words);
  return {
    drawings: composed ? [] : drawn.map(({ subject }) => subject.name),
    ...(composition && { composition }),
    place: main === 'city' && drawn.length > 0 && !composed ? 'street' : main,
    backdrops: places.slice(main === places[0] ? 1 : 0),
    mood,
    shown: [...new Set(seen.map(englishName))],
    named,
    isWhole: allPieces.filter(isTelling).every(({ words }) => named.includes(words)),
  };
}
