/** Reads from words what a scene shows: the subjects that are drawn, where they stand, and in which light and weather. */
import table from '../data/words.json';

/** The time of day that colours the light. */
export type Time = 'dawn' | 'day' | 'golden' | 'sunset' | 'dusk' | 'night';
/** What land, trees and water look like. */
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';
type Weather = 'cloudy' | 'fog' | 'rain' | 'snow';

/** Where a scene plays. */
export type Place =
  | 'beach'
  | 'city'
  | 'desert'
  | 'forest'
  | 'lake'
  | 'meadow'
  | 'mountains'
  | 'sea'
  | 'sky'
  | 'stars'
  | 'studio'
  | 'table'
  | 'underwater'
  | 'winter';

/** What the words say about the light; what they leave open is absent. */
export interface Mood {
  readonly time?: Time;
  readonly season?: Season;
  readonly weather?: Weather;
}

/** What a text makes a scene show. */
export interface Reading {
  /** Names of drawings in `data/drawings.json`, the main one first; at most two. */
  readonly drawings: readonly string[];
  readonly place: Place;
  /** Other places that the words name, which may be seen far off. */
  readonly backdrops: readonly Place[];
  readonly mood: Mood;
  /** What is seen, in English: `dog`, `beach`. Empty where the words name nothing that can be drawn. */
  readonly shown: readonly string[];
  /** The words of the text that name it, in lower case; those that are only connected with it are left out. */
  readonly named: readonly string[];
  /** Whether these are all words of the text. */
  readonly isWhole: boolean;
}

/** Subjects that say where or when a scene plays; with a `place` or a mood alone nothing else is drawn. */
const SCENERY: Readonly<Record<string, Mood & { readonly place?: Place }>> = {
  lake: { place: 'lake' },
  'national-park': { place: 'lake' },
  mountain: { place: 'mountains' },
  'snow-capped-mountain': { place: 'mountains' },
  'mount-fuji': { place: 'mountains' },
  'sunrise-over-mountains': { place: 'mountains', time: 'dawn' },
  'beach-with-umbrella': { place: 'beach' },
  'desert-island': { place: 'beach' },
  'water-wave': { place: 'sea' },
  desert: { place: 'desert' },
  'evergreen-tree': { place: 'forest' },
  meadow: { place: 'meadow' },
  cityscape: { place: 'city' },
  'cityscape-at-dusk': { place: 'city', time: 'dusk' },
  'night-with-stars': { time: 'night' },
  'milky-way': { place: 'stars', time: 'night' },
  star: { place: 'stars', time: 'night' },
  'glowing-star': { place: 'stars', time: 'night' },
  'crescent-moon': { place: 'stars', time: 'night' },
  'full-moon': { place: 'stars', time: 'night' },
  snowflake: { place: 'winter', season: 'winter' },
  sunrise: { time: 'dawn' },
  sunset: { time: 'sunset' },
  sun: { time: 'day' },
  'golden-hour': { time: 'golden' },
  'maple-leaf': { place: 'forest', season: 'autumn' },
  'fallen-leaf': { place: 'forest', season: 'autumn' },
  spring: { place: 'meadow', season: 'spring' },
  cloud: { weather: 'cloudy' },
  fog: { weather: 'fog' },
  foggy: { weather: 'fog' },
  'cloud-with-rain': { weather: 'rain' },
  'cloud-with-lightning-and-rain': { weather: 'rain' },
  'cloud-with-snow': { place: 'winter', weather: 'snow', season: 'winter' },
};

/** Of several places the first that is listed here is drawn, and the others far off. */
const FRONT: readonly Place[] = [
  'lake',
  'beach',
  'sea',
  'meadow',
  'winter',
  'desert',
  'stars',
  'forest',
  'city',
  'mountains',
];

/** Where a scene plays whose words name a light or a weather alone. */
const USUAL_PLACES: Readonly<Record<string, Place>> = { fog: 'forest', rain: 'city', cloudy: 'mountains' };

/** The terms of a text, as `data/words.json` lists them: in lower case, each Chinese or Japanese sign by itself. */
export const termsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{M}\p{N}]+/gu) ?? [];

interface Subject {
  readonly name: string;
  readonly place: Place;
  /** 2 for a word that is what the subject is called, 1 for one that is connected with it. */
  readonly strength: number;
}

const index = new Map<string, Subject>();
for (const [name, [place, ...lists]] of Object.entries(
  table as unknown as Readonly<Record<string, readonly [Place, string, string]>>,
))
  for (const [at, list] of lists.entries())
    for (const word of list.split(',')) if (word !== '') index.set(word, { name, place, strength: 2 - at });

/** Longest name of a subject, in terms. */
const TERMS_MAX = 6;

/** A term, then without the ending of a plural in English, Spanish, Portuguese, French, Italian or German. */
const formsOf = (term: string): readonly string[] => [
  term,
  ...(term.endsWith('ies') ? [term.replace(/ies$/, 'y')] : []),
  ...[/s$/, /es$/, /n$/, /en$/].flatMap((ending) =>
    term.length > 4 && ending.test(term) ? [term.replace(ending, '')] : [],
  ),
];

interface Named extends Subject {
  readonly words: string;
}

/** Every subject that a text names, in its order; where names overlap, the longest. */
function subjectsIn(text: string): readonly Named[] {
  const terms = termsOf(text);
  const subjects: Named[] = [];
  for (let from = 0; from < terms.length; ) {
    let length = Math.min(TERMS_MAX, terms.length - from);
    let subject: Subject | undefined;
    for (; length > 0 && !subject; length -= 1) {
      const words = terms.slice(from, from + length);
      const last = formsOf(words.pop() ?? '');
      subject = last.map((form) => index.get([...words, form].join(' '))).find((one) => one !== undefined);
    }
    const words = terms.slice(from, from + length + 1);
    const isSign = /^[^\p{Script=Latin}\p{Script=Cyrillic}]/u.test(words[0] ?? '');
    if (subject) subjects.push({ ...subject, words: words.join(isSign ? '' : ' ') });
    from += length + 1;
  }
  return subjects;
}

/** What a scene of these words shows. Words that are what a subject is called count before those connected with one. */
export function read(text: string): Reading {
  const subjects = subjectsIn(text);
  const scenery = subjects.filter(({ name }) => name in SCENERY);
  const things = subjects.filter(({ name }) => !(name in SCENERY));
  // In a longer text, a word that is only connected with a subject says too little.
  const least = termsOf(text).length > 2 ? 2 : 1;
  const strongest = Math.max(least, ...things.map(({ strength }) => strength));
  const isScenery = scenery.some(({ strength }) => strength > strongest);
  const unique = new Map(
    things.filter(({ strength }) => strength === strongest && !isScenery).map((one) => [one.name, one]),
  );
  const drawn = [...unique.values()].slice(0, 2);
  const { place: _, ...mood }: Mood & { place?: Place } = Object.assign(
    {},
    ...scenery.map(({ name }) => SCENERY[name]).reverse(),
  );
  const usual =
    (mood.weather && USUAL_PLACES[mood.weather]) ??
    (mood.time && (mood.time === 'night' ? 'stars' : 'sea')) ??
    'studio';
  const named = scenery
    .flatMap(({ name }) => SCENERY[name]?.place ?? [])
    .sort((one, other) => FRONT.indexOf(one) - FRONT.indexOf(other));
  const [place = drawn[0]?.place ?? usual, ...backdrops] = named;
  const seen = [...drawn, ...scenery];
  const words = seen.filter(({ strength }) => strength > 1).map((one) => one.words);
  return {
    drawings: drawn.map(({ name }) => name),
    place,
    backdrops,
    mood,
    shown: [...new Set(seen.map(({ name }) => name.replaceAll('-', ' ')))],
    named: words,
    isWhole: termsOf(words.join(' ')).length === termsOf(text).length,
  };
}
