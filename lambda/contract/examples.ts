/** The example pictures of the service's own pages: drawn when it is deployed, so that a look at them is no request. */

/** A picture, the request that it stands for, and what it shows. */
export interface Example {
  readonly words: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly alt: string;
}

/** The queries of the gallery, and what each picture shows. */
const gallery: readonly (readonly [words: string, alt: string])[] = [
  ['city at night', 'A city at night'],
  ['coffee', 'A cup of coffee'],
  ['team meeting', 'A team in a meeting'],
  ['happy dog', 'A happy dog'],
  ['beach sunset', 'A sunset at the beach'],
  ['solar panels', 'Solar panels in a field'],
  ['forest path', 'A path through a forest'],
  ['pizza', 'A pizza on a plate'],
  ['data analytics', 'A chart on a screen'],
  ['sailing boat', 'A boat under sail'],
  ['doctor', 'A doctor at work'],
  ['kitchen interior', 'The inside of a kitchen'],
  ['desert', 'A desert with dunes'],
  ['bicycle', 'A bicycle in a street'],
  ['birthday cake', 'A cake with candles'],
  ['handshake', 'Two hands that shake'],
  ['red sports car', 'A red car on a road'],
  ['cloud computing', 'A cloud and computers'],
  ['family dinner', 'A family at a table'],
  ['guitar', 'A guitar on a stage'],
  ['swimming pool', 'A pool with clear water'],
  ['growth', 'A chart that rises'],
  ['airplane', 'A plane in the sky'],
  ['winter forest', 'A forest in the snow'],
];

/** Names of the examples in the gallery, in its order. */
export const galleryNames: readonly string[] = gallery.map(([words]) => words.replaceAll(' ', '-'));

/** Each by the name of its file, without the ending: the first image of the playground, and those of the gallery. */
export const examples: Readonly<Record<string, Example>> = {
  'mountain-lake': { words: 'mountain lake', widthPx: 1200, heightPx: 800, alt: 'A mountain lake' },
  ...Object.fromEntries(
    gallery.map(([words, alt], i) => [galleryNames[i], { words, widthPx: 300, heightPx: 200, alt }]),
  ),
};

/** Where the examples are, below the image distribution, without a trailing slash: `public/examples/coffee.webp`. */
export const examplesFolder = 'public/examples';

/** The credit of everything that the service draws. */
export const drawnCredit = 'Drawn by the service itself, CC0 1.0, with Fluent Emoji by Microsoft, MIT';
