/** The subjects of scenes: the words that name each, what draws it, and the times of day that suit it. */
import { drawAbstract } from './abstract';
import { drawCafe } from './cafe';
import { drawDesert } from './desert';
import { drawForest } from './forest';
import { drawMeadow } from './meadow';
import { drawMountains, drawWinter } from './mountains';
import { drawNightSky } from './night';
import { drawRunningWater } from './river';
import type { Scene } from './scene';
import { drawSpace } from './space';
import { drawBeach, drawCity, drawLake, drawSea } from './waterside';
import { hasWord, type Mood, moodOf, type Time } from './words';

interface Subject {
  readonly draw: (scene: Scene) => string;
  /** In the forms that `wordsOf` gives. */
  readonly words: string;
  /** The times that suit it when the words name none; those that are listed twice are twice as frequent. */
  readonly times?: readonly [Time, ...Time[]];
}

/** In the order in which one wins over another when a query names several. */
const TABLE = {
  space: {
    draw: drawSpace,
    times: ['night'],
    words:
      'space planet galaxy universe cosmos cosmic saturn jupiter mars venus orbit astronaut rocket spaceship nebula asteroid comet interstellar ' +
      'weltraum weltall planeten galaxie raumschiff espace planete univers espacio planeta galaxia universo spazio pianeta',
  },
  cafe: {
    draw: drawCafe,
    times: ['day', 'golden', 'golden', 'dusk'],
    words:
      'cafe coffee coffeehouse espresso cappuccino latte bistro restaurant terrace patio bar brunch breakfast tea bakery croissant pub diner ' +
      'kaffee kaffeehaus terrasse restaurante cafeteria caffe ristorante taverna terraza panaderia boulangerie backerei',
  },
  waterfall: {
    draw: drawRunningWater,
    words: 'waterfall cascade falls canyon gorge wasserfall schlucht cascada cascata',
  },
  river: {
    draw: drawRunningWater,
    words: 'river stream creek brook rapids fluss bach rio riviere fleuve ruisseau fiume ruscello',
  },
  lake: {
    draw: drawLake,
    words:
      'lake pond lagoon reservoir loch tarn fjord fiord reflection lakeside ' +
      'see seen bergsee weiher lac etang lago laguna estanque',
  },
  beach: {
    draw: drawBeach,
    times: ['day', 'day', 'golden', 'sunset'],
    words:
      'beach coast seaside shore palm tropical island sand surf surfing surfer tropics bay cove resort vacation holiday hawaii maldives ' +
      'strand kuste insel urlaub plage cote ile vacances playa costa isla palmera vacaciones spiaggia isola vacanza',
  },
  sea: {
    draw: drawSea,
    words:
      'sea ocean wave sail sailing sailboat boat ship yacht lighthouse harbour harbor marine nautical atlantic pacific mediterranean whale ' +
      'meer ozean welle segeln segelboot schiff leuchtturm hafen mer vague bateau phare mar oceano ola barco faro mare onda barca',
  },
  meadow: {
    draw: drawMeadow,
    times: ['dawn', 'day', 'day', 'golden', 'golden'],
    words:
      'meadow flower field grass garden tulip poppy daisy sunflower lavender rose blossom bloom pasture countryside farm farmland prairie hill wheat butterfly bee ' +
      'wiese blume feld garten hugel blute champ fleur jardin colline prado pradera flor campo colina prato fiore giardino collina',
  },
  city: {
    draw: drawCity,
    times: ['dawn', 'golden', 'sunset', 'dusk', 'night'],
    words:
      'city skyline urban downtown building skyscraper street town architecture metropolis tower traffic neighborhood apartment house office business tokyo manhattan york paris london berlin chicago shanghai dubai ' +
      'stadt grossstadt hochhaus strasse gebaude ville immeuble rue ciudad edificio calle rascacielos citta grattacielo strada palazzo',
  },
  desert: {
    draw: drawDesert,
    times: ['day', 'golden', 'golden', 'sunset', 'dusk'],
    words:
      'desert dune sahara cactus oasis camel arid gobi namib canyonland mesa arizona morocco egypt pyramid ' +
      'wuste kamel kaktus desierto duna deserto cammello chameau',
  },
  forest: {
    draw: drawForest,
    words:
      'forest wood woodland tree pine jungle rainforest grove trail leaf foliage nature fir spruce birch oak fern deer bear fox ' +
      'wald baum baume natur tannen foret arbre bois bosque arbol selva naturaleza foresta bosco albero natura',
  },
  mountains: {
    draw: drawMountains,
    words:
      'mountain peak alp alpine summit cliff ridge himalaya everest rocky hiking hike climbing climber landscape valley volcano andes dolomite matterhorn ' +
      'berg berge gebirge alpen gipfel landschaft tal montagne sommet paysage vallee montana cima cumbre paisaje valle monte montagna vetta paesaggio',
  },
  winter: {
    draw: drawWinter,
    words:
      'winter snow snowy ski skiing ice icy frost frozen christmas xmas cabin glacier arctic polar snowflake sled snowman ' +
      'schnee weihnachten eis hutte neige hiver noel nieve invierno navidad neve inverno natale',
  },
  'night-sky': {
    draw: drawNightSky,
    times: ['night', 'night', 'dusk'],
    words:
      'star starry night aurora borealis milkyway milky moon moonlight constellation astronomy stargazing camping campfire tent meteor midnight sky cloud rainbow ' +
      'stern sterne sternenhimmel nacht mond himmel polarlicht zelt etoile nuit lune ciel estrella noche luna cielo stella notte',
  },
  abstract: { draw: drawAbstract, words: '', times: ['day'] },
} as const satisfies Readonly<Record<string, Subject>>;

/** What a scene shows. */
export type SubjectName = keyof typeof TABLE;

export const subjects: Readonly<Record<SubjectName, Subject>> = TABLE;

/** Every subject that the words name, strongest first; empty when none of them is known. */
export const subjectsIn = (words: ReadonlySet<string>): readonly SubjectName[] =>
  (Object.keys(subjects) as SubjectName[]).filter((name) => hasWord(words, subjects[name].words));

const BY_SEASON = { spring: 'meadow', summer: 'beach', autumn: 'forest', winter: 'winter' } as const;

/** The subject that words about light alone stand for, as in "sunset". */
function subjectOfMood({ time, season, weather }: Mood): SubjectName {
  if (season !== undefined) return BY_SEASON[season];
  if (weather === 'rain') return 'city';
  if (weather === 'fog') return 'forest';
  if (weather !== undefined) return 'mountains';
  if (time === 'night') return 'night-sky';
  return time === undefined ? 'abstract' : 'sea';
}

/** The subject of a scene: the strongest that the words name, or else one that suits its mood, or `abstract`. */
export const subjectOf = (words: ReadonlySet<string>): SubjectName =>
  subjectsIn(words)[0] ?? subjectOfMood(moodOf(words));
