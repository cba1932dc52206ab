/** Reads time of day, season and weather from the words of a query. */

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
  cloudy: 'cloud cloudy overcast grey gray wolke wolken nuage nube nuvola',
  clear: 'clear sunny cloudless',
};

function named<K extends string>(
  words: ReadonlySet<string>,
  lists: Readonly<Record<K, string>>,
): K | undefined {
  const names = Object.keys(lists) as K[];
  return names.find((name) => lists[name].split(' ').some((word) => words.has(word)));
}

/** The mood that the words state; each word in all the forms that `wordsOf` gives. */
export function moodOf(words: ReadonlySet<string>): Mood {
  const time = named(words, TIMES);
  const weather = named(words, WEATHERS);
  // Where snow falls, it also lies.
  const season = named(words, SEASONS) ?? (weather === 'snow' ? 'winter' : undefined);
  return { ...(time && { time }), ...(season && { season }), ...(weather && { weather }) };
}
