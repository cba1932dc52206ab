/** Reads from the words of a query what a scene shows, at what time, in which season and weather. */

/** The time of day that colours the light. */
export type Time = 'dawn' | 'day' | 'golden' | 'sunset' | 'dusk' | 'night';
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';
type Weather = 'clear' | 'cloudy' | 'fog' | 'rain' | 'snow';

/** What the words say about the light; what they leave open is absent. */
export interface Mood {
  readonly time?: Time;
  readonly season?: Season;
  readonly weather?: Weather;
}

const TIMES: Readonly<Record<Time, string>> = {
  sunset: 'sunset sundown sonnenuntergang coucher atardecer ocaso tramonto puesta',
  dawn: 'dawn sunrise daybreak morning sonnenaufgang morgen aube matin amanecer alba mattina manana',
  dusk: 'dusk twilight evening blue dammerung abend crepuscule soir crepusculo anochecer sera crepuscolo',
  golden: 'golden gold sunlight sunlit warm afternoon',
  night:
    'night midnight starry star moon moonlight neon nocturnal aurora borealis milky campfire stargazing meteor constellation nacht mond nuit noche notte luna lune etoile estrella stella stern sterne',
  day: 'day noon midday sunny daylight sunshine tag sonnig jour soleil dia soleado giorno sole',
};

const SEASONS: Readonly<Record<Season, string>> = {
  winter:
    'winter snow snowy ski skiing ice icy frost frozen christmas xmas arctic glacier schnee weihnachten hiver neige noel invierno nieve navidad inverno neve natale',
  autumn: 'autumn fall herbst automne otono autunno october november harvest foliage',
  spring: 'spring blossom bloom cherry sakura easter fruhling printemps primavera april',
  summer: 'summer sommer ete verano estate july august tropical',
};

const WEATHERS: Readonly<Record<Weather, string>> = {
  snow: 'snowfall snowing blizzard snowstorm snowflake christmas xmas weihnachten noel navidad natale',
  rain: 'rain rainy storm stormy thunder thunderstorm lightning regen sturm gewitter pluie orage lluvia tormenta pioggia tempesta',
  fog: 'fog foggy mist misty haze hazy nebel brouillard brume niebla nebbia bruma',
  cloudy: 'cloud cloudy overcast grey gray wolke nuage nube nuvola',
  clear: 'clear sunny cloudless',
};

/** True when one of the listed words stands in a text. */
export const hasWord = (words: ReadonlySet<string>, list: string): boolean =>
  list.split(' ').some((word) => words.has(word));

/** Every key whose list names one of the words, in their order. */
const named = <K extends string>(
  words: ReadonlySet<string>,
  lists: Readonly<Record<K, string>>,
): readonly K[] => (Object.keys(lists) as K[]).filter((key) => hasWord(words, lists[key]));

/** The mood that the words state; each word in all the forms that `wordsOf` gives. */
export function moodOf(words: ReadonlySet<string>): Mood {
  const [time] = named(words, TIMES);
  const [weather] = named(words, WEATHERS);
  // Where snow falls, it also lies.
  const season = named(words, SEASONS)[0] ?? (weather === 'snow' ? 'winter' : undefined);
  return { ...(time && { time }), ...(season && { season }), ...(weather && { weather }) };
}

/** The forms under which a token may stand in a list: itself, then without an English or a German plural ending. */
function formsOf(token: string): readonly string[] {
  const forms = [token];
  if (token.length > 4 && token.endsWith('ies')) forms.push(`${token.slice(0, -3)}y`);
  if (token.length > 4 && token.endsWith('es')) forms.push(token.slice(0, -2));
  if (token.length > 3 && token.endsWith('s')) forms.push(token.slice(0, -1));
  if (token.length > 4 && token.endsWith('n')) forms.push(token.slice(0, -1));
  return forms;
}

/** Every word of a text in all its forms: lower-case, without accents and punctuation, in any script. */
export function wordsOf(text: string): ReadonlySet<string> {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase();
  return new Set((plain.match(/[\p{Letter}\p{Number}]+/gu) ?? []).flatMap(formsOf));
}
