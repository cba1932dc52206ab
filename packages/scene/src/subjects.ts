/** Reads from words what a scene shows: subjects, setting, time of day and weather. */
import table from '../data/words.json';
import type { Setting } from './landscapes';
import type { Time, Weather } from './light';

type Scenery = { readonly setting?: Setting; readonly time?: Time; readonly weather?: Weather };

/** Subjects without a drawing. They choose the setting, the time or the weather of a scene. */
const sceneries: readonly (readonly [subjects: string, Scenery])[] = [
  ['abstract', { setting: 'abstract' }],
  ['lake, national-park', { setting: 'lake' }],
  ['mountain, snow-capped-mountain, mount-fuji', { setting: 'mountains' }],
  ['sunrise-over-mountains', { setting: 'mountains', time: 'dawn' }],
  ['beach-with-umbrella, desert-island', { setting: 'beach' }],
  ['water-wave', { setting: 'sea' }],
  ['desert', { setting: 'desert' }],
  ['evergreen-tree', { setting: 'forest' }],
  ['maple-leaf, fallen-leaf', { setting: 'autumn' }],
  ['meadow, spring', { setting: 'meadow' }],
  ['cityscape', { setting: 'city' }],
  ['cityscape-at-dusk', { setting: 'city', time: 'dusk' }],
  ['milky-way, star, glowing-star, crescent-moon, full-moon', { setting: 'stars', time: 'night' }],
  ['snowflake', { setting: 'winter' }],
  ['cloud-with-snow', { setting: 'winter', weather: 'snow' }],
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

/** Settings by precedence. Of several named settings the first is drawn in front, the others far off. */
const frontSettings = 'lake beach sea meadow winter desert stars forest autumn city mountains'.split(' ');

/** The setting for each weather, if the words name none. */
const settingByWeather = { fog: 'forest', rain: 'city', cloudy: 'mountains', snow: 'winter' } as const;

/** Splits a text like `data/words.json`: in lower case, and each Chinese or Japanese sign is a token. */
export const splitTokens = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Words that name no subject, in several languages: colours, sizes, praise, terms of web pages. */
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

interface Subject {
  /** Names of drawings. Drawings with `+` between them are shown together; of those with `|` a seed shows one. */
  readonly name: string;
  readonly setting: Setting;
  readonly isForeign: boolean;
  readonly scenery: Scenery | undefined;
}

const subjectByWord = new Map<string, Subject>();
const rows = Object.entries(table as unknown as Readonly<Record<string, readonly [Setting, string, string]>>);
// English words are added last, so that they replace equal words of other languages.
for (const isForeign of [true, false])
  for (const [name, [setting, english, foreign]] of rows)
    for (const word of (isForeign ? foreign : english).split(','))
      subjectByWord.set(word, { name, setting, isForeign, scenery: sceneryBySubject.get(name) });

const tokensMax = 6;

/** Lists a token, and its forms without a plural ending. */
const listForms = (token: string): readonly string[] => [
  token,
  token.replace(/ies$/, 'y'),
  ...[/s$/, /es$/, /n$/, /en$/].map((ending) => (token.length > 3 ? token.replace(ending, '') : token)),
];

type Piece = { readonly words: string; readonly subject?: Subject | undefined };
type SubjectPiece = Piece & { readonly subject: Subject };

/** Splits a text into the longest names of subjects, and single tokens between them. */
function listPieces(text: string): readonly Piece[] {
  const tokens = splitTokens(text);
  const pieces: Piece[] = [];
  for (let from = 0, length = 0; from < tokens.length; from += length) {
    let subject: Subject | undefined;
    for (length = Math.min(tokensMax, tokens.length - from); ; length -= 1) {
      const words = tokens.slice(from, from + length);
      const forms = listForms(words.pop() ?? '').map((form) => [...words, form].join(' '));
      subject = forms.map((form) => subjectByWord.get(form)).find(Boolean);
      if (subject || length === 1) break;
    }
    const isSign = /^[^\p{Script=Latin}\p{Script=Cyrillic}]/u.test(tokens[from] ?? '');
    pieces.push({ words: tokens.slice(from, from + length).join(isSign ? '' : ' '), subject });
  }
  // A foreign word counts only if the whole text is foreign: `chat` in "live chat" is no cat.
  const isForeign = pieces.filter(isTelling).every(({ subject }) => subject?.isForeign);
  return isForeign
    ? pieces
    : pieces.map((piece) => (piece.subject?.isForeign ? { words: piece.words } : piece));
}

const isSubject = (piece: Piece | undefined): piece is SubjectPiece => piece?.subject !== undefined;
const isBreak = ({ words, subject }: Piece): boolean => !subject && breaks.has(words);
/** Returns true for pieces that say what is in the scene. Colours, praise and breaks do not. */
const isTelling = (piece: Piece): boolean =>
  isSubject(piece) || !(vagueWords.has(piece.words) || isBreak(piece));

function findThings(pieces: readonly Piece[]): readonly SubjectPiece[] {
  const phrases: Piece[][] = [[]];
  for (const piece of pieces)
    if (isBreak(piece)) phrases.push([]);
    else phrases.at(-1)?.push(piece);
  return phrases.map(chooseHead).filter(isSubject);
}

/**
 * Finds the thing of a phrase. It is the last word: `dog` in `happy dog`, nothing in `wind instrument`. Words
 * like `playing` may follow it. In other languages the first subject is the thing.
 */
function chooseHead(phrase: readonly Piece[]): Piece | undefined {
  let head: Piece | undefined;
  for (const piece of phrase.filter(isTelling)) {
    const followsThing = isSubject(head) && (head.subject.isForeign || /...ing$/.test(piece.words));
    if (!followsThing) head = piece;
  }
  return head;
}

/** Names a subject in English. Drawings that are shown together keep the words of the text. */
const writeEnglishName = ({ subject: { name }, words }: SubjectPiece): string =>
  name.includes('+') ? words : name.replace(/\|.*|-(medium-)?(light|dark)$/, '').replaceAll('-', ' ');

export type ParsedWords = Readonly<ReturnType<typeof parseWords>>;

/** Reads subjects, setting, time and weather from a text. */
export function parseWords(text: string) {
  const pieces = listPieces(text);
  const surroundings = pieces.filter(isSubject).filter(({ subject }) => subject.scenery);
  const sceneries = surroundings.flatMap(({ subject }) => subject.scenery ?? []);
  const things = findThings(pieces).filter(({ subject }) => !subject.scenery);
  const twoThings = [...new Map(things.map((thing) => [thing.subject.name, thing])).values()].slice(0, 2);
  const group = twoThings.find(({ subject }) => subject.name.includes('+'));
  const shownThings = group ? [group] : twoThings;
  /** At most three subjects, the main subject first. Each is a list of drawings in `data/drawings.json`. */
  const figures = shownThings.flatMap(({ subject }) =>
    subject.name.split('+').map((names) => names.split('|')),
  );
  const time = sceneries.find((scenery) => scenery.time)?.time;
  const weather = sceneries.find((scenery) => scenery.weather)?.weather;
  /** The setting in front, and others that the words name, which may be drawn far off. */
  const [front, ...backdrops] = sceneries
    .flatMap((scenery) => scenery.setting ?? [])
    .sort((a, b) => frontSettings.indexOf(a) - frontSettings.indexOf(b));
  const fallback = weather ? settingByWeather[weather] : time === 'night' ? 'stars' : time ? 'sea' : 'studio';
  const mainSetting = front ?? shownThings[0]?.subject.setting ?? fallback;
  const setting: Setting = mainSetting === 'city' && figures.length > 0 ? 'street' : mainSetting;
  const shownPieces = [...shownThings, ...surroundings];
  /** The words of the text that name what is drawn, in lower case. */
  const shownWords = shownPieces.map((piece) => piece.words);
  /** The drawn things in English: `dog`, `beach`. */
  const shownNames = [...new Set(shownPieces.map(writeEnglishName))];
  /** True if everything that the text names is drawn. */
  const isWhole = pieces.filter(isTelling).every((piece) => shownWords.includes(piece.words));
  return { figures, setting, backdrops, time, weather, shownNames, shownWords, isWhole };
}
