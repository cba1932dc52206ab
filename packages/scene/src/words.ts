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

/** The words that name each motif, in the order in which one wins over another when a query names several. */
const LISTS = {
  space:
    'space planet galaxy universe cosmos cosmic saturn jupiter mars venus orbit astronaut rocket spaceship nebula asteroid comet interstellar ' +
    'weltraum weltall planeten galaxie raumschiff espace planete univers espacio planeta galaxia universo spazio pianeta',
  cafe:
    'cafe coffee coffeehouse espresso cappuccino latte bistro restaurant terrace patio bar brunch breakfast tea bakery croissant pub diner ' +
    'kaffee kaffeehaus terrasse restaurante cafeteria caffe ristorante taverna terraza panaderia boulangerie backerei',
  waterfall: 'waterfall cascade falls canyon gorge wasserfall schlucht cascada cascata',
  river: 'river stream creek brook rapids fluss bach rio riviere fleuve ruisseau fiume ruscello',
  lake:
    'lake pond lagoon reservoir loch tarn fjord fiord reflection lakeside ' +
    'see seen bergsee weiher lac etang lago laguna estanque',
  beach:
    'beach coast seaside shore palm tropical island sand surf surfing surfer tropics bay cove resort vacation holiday hawaii maldives ' +
    'strand kuste insel urlaub plage cote ile vacances playa costa isla palmera vacaciones spiaggia isola vacanza',
  sea:
    'sea ocean wave sail sailing sailboat boat ship yacht lighthouse harbour harbor marine nautical atlantic pacific mediterranean whale ' +
    'meer ozean welle segeln segelboot schiff leuchtturm hafen mer vague bateau phare mar oceano ola barco faro mare onda barca',
  meadow:
    'meadow flower field grass garden tulip poppy daisy sunflower lavender rose blossom bloom pasture countryside farm farmland prairie hill wheat butterfly bee ' +
    'wiese blume feld garten hugel blute champ fleur jardin colline prado pradera flor campo colina prato fiore giardino collina',
  city:
    'city skyline urban downtown building skyscraper street town architecture metropolis tower traffic neighborhood apartment house office business tokyo manhattan york paris london berlin chicago shanghai dubai ' +
    'stadt grossstadt hochhaus strasse gebaude ville immeuble rue ciudad edificio calle rascacielos citta grattacielo strada palazzo',
  desert:
    'desert dune sahara cactus oasis camel arid gobi namib canyonland mesa arizona morocco egypt pyramid ' +
    'wuste kamel kaktus desierto duna deserto cammello chameau',
  forest:
    'forest wood woodland tree pine jungle rainforest grove trail leaf foliage nature fir spruce birch oak fern deer bear fox ' +
    'wald baum baume natur tannen foret arbre bois bosque arbol selva naturaleza foresta bosco albero natura',
  mountains:
    'mountain peak alp alpine summit cliff ridge himalaya everest rocky hiking hike climbing climber landscape valley volcano andes dolomite matterhorn ' +
    'berg berge gebirge alpen gipfel landschaft tal montagne sommet paysage vallee montana cima cumbre paisaje valle monte montagna vetta paesaggio',
  winter:
    'winter snow snowy ski skiing ice icy frost frozen christmas xmas cabin glacier arctic polar snowflake sled snowman ' +
    'schnee weihnachten eis hutte neige hiver noel nieve invierno navidad neve inverno natale',
  'night-sky':
    'star starry night aurora borealis milkyway milky moon moonlight constellation astronomy stargazing camping campfire tent meteor midnight sky cloud rainbow ' +
    'stern sterne sternenhimmel nacht mond himmel polarlicht zelt etoile nuit lune ciel estrella noche luna cielo stella notte',
};

/** What a scene shows. */
export type Motif = keyof typeof LISTS | 'abstract';

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

/** Every motif that the words name, strongest first; empty when none of them is known. */
export const motifsIn = (words: ReadonlySet<string>): readonly Motif[] => named(words, LISTS);

const BY_SEASON = { spring: 'meadow', summer: 'beach', autumn: 'forest', winter: 'winter' } as const;

/** The motif that words about light alone stand for, as in "sunset". */
function motifOfMood({ time, season, weather }: Mood): Motif | undefined {
  if (season !== undefined) return BY_SEASON[season];
  if (weather === 'rain') return 'city';
  if (weather === 'fog') return 'forest';
  if (weather !== undefined) return 'mountains';
  if (time === 'night') return 'night-sky';
  return time === undefined ? undefined : 'sea';
}

/** The motif of a scene: the strongest that the words name, or `abstract`. */
export const motifOf = (words: ReadonlySet<string>): Motif =>
  motifsIn(words)[0] ?? motifOfMood(moodOf(words)) ?? 'abstract';
