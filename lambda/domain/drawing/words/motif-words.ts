/** Which words name which motif: English first, then common German, French, Spanish and Italian ones. */
import type { Motif } from './motif';

const LISTS: Readonly<Record<Exclude<Motif, 'abstract'>, string>> = {
  space:
    'space planet galaxy universe cosmos cosmic saturn jupiter mars venus orbit astronaut rocket spaceship nebula asteroid comet interstellar ' +
    'weltraum weltall planeten galaxie raumschiff espace planete univers espacio planeta galaxia universo spazio pianeta',
  cafe:
    'cafe coffee coffeehouse espresso cappuccino latte bistro restaurant terrace patio bar brunch breakfast tea bakery croissant pub diner ' +
    'kaffee kaffeehaus terrasse restaurante cafeteria caffe ristorante taverna terraza panaderia boulangerie backerei',
  waterfall:
    'waterfall cascade river stream creek brook rapids falls canyon gorge ' +
    'wasserfall fluss bach schlucht cascada rio riviere fleuve ruisseau cascata fiume ruscello',
  lake:
    'lake pond lagoon reservoir loch tarn fjord fiord reflection lakeside ' +
    'see seen bergsee weiher lac etang lago laguna estanque',
  beach:
    'beach coast seaside shore palm tropical island sand surf surfing surfer tropics bay cove resort vacation holiday hawaii maldives ' +
    'strand kuste insel urlaub plage cote ile vacances playa costa isla palmera vacaciones spiaggia isola vacanza',
  sea:
    'sea ocean wave sail sailing sailboat boat ship yacht lighthouse harbour harbor marine nautical atlantic pacific mediterranean whale ' +
    'meer ozean welle segeln segelboot schiff leuchtturm hafen mer ocean vague bateau phare mar oceano ola barco faro mare onda barca',
  meadow:
    'meadow flower field grass garden tulip poppy daisy sunflower lavender rose blossom bloom pasture countryside farm farmland prairie hill wheat butterfly bee ' +
    'wiese blume feld garten hugel blute champ prairie fleur jardin colline prado pradera flor campo colina prato fiore giardino collina',
  city:
    'city skyline urban downtown building skyscraper street town architecture metropolis tower traffic neighborhood apartment house office business tokyo manhattan york paris london berlin chicago shanghai dubai ' +
    'stadt grossstadt hochhaus strasse gebaude ville immeuble rue ciudad edificio calle rascacielos citta grattacielo strada palazzo',
  desert:
    'desert dune sahara cactus oasis camel arid gobi namib canyonland mesa arizona morocco egypt pyramid ' +
    'wuste kamel kaktus dune desierto duna deserto cammello chameau',
  forest:
    'forest wood woodland tree pine jungle woods rainforest grove trail leaf foliage nature fir spruce birch oak fern deer bear fox ' +
    'wald baum baume natur tannen foret arbre bois bosque arbol selva naturaleza foresta bosco albero natura',
  mountains:
    'mountain peak alp alpine summit cliff ridge himalaya everest rocky hiking hike climbing climber landscape valley volcano andes dolomite matterhorn ' +
    'berg berge gebirge alpen gipfel landschaft tal montagne sommet paysage vallee montana cima cumbre paisaje valle monte montagna vetta paesaggio',
  winter:
    'winter snow snowy ski skiing ice icy frost frozen christmas xmas cabin glacier arctic polar snowflake sled snowman ' +
    'schnee weihnachten eis hutte neige hiver noel nieve invierno navidad neve inverno natale',
  'night-sky':
    'star starry night stars aurora borealis milkyway milky moon moonlight constellation astronomy stargazing camping campfire tent meteor midnight sky cloud rainbow ' +
    'stern sterne sternenhimmel nacht mond himmel polarlicht zelt etoile nuit lune ciel estrella noche luna cielo stella notte',
};

const lookup = new Map<string, Set<Motif>>();
for (const [motif, list] of Object.entries(LISTS)) {
  for (const word of list.split(' ')) {
    const known = lookup.get(word) ?? new Set<Motif>();
    known.add(motif as Motif);
    lookup.set(word, known);
  }
}

/** The motifs a single word stands for; none when the vocabulary does not know it. */
export function motifsNamed(word: string): ReadonlySet<Motif> {
  return lookup.get(word) ?? new Set<Motif>();
}
