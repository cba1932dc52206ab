/** The example pictures of the pages. They are drawn at the deployment and cost no requests. */

/** The request that an example picture stands for. */
export interface Example {
  readonly words: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

const gallery =
  'city at night, coffee, team meeting, happy dog, beach sunset, solar panels, forest path, pizza, data analytics, sailing boat, doctor, kitchen interior, desert, bicycle, birthday cake, handshake, red sports car, cloud computing, family dinner, guitar, swimming pool, growth, airplane, winter forest'.split(
    ', ',
  );

const writeName = (words: string) => words.replaceAll(' ', '-');

/** The file names of the examples in the gallery, in order. */
export const galleryNames: readonly string[] = gallery.map(writeName);

/** The examples by file name without extension. The playground shows the first. */
export const exampleImages: Readonly<Record<string, Example>> = {
  'mountain-lake': { words: 'mountain lake', widthPx: 1200, heightPx: 800 },
  ...Object.fromEntries(gallery.map((words) => [writeName(words), { words, widthPx: 300, heightPx: 200 }])),
};

/** The folder of the examples in the image store: `public/examples/coffee.webp`. */
export const examplesFolder = 'public/examples';

/** The credit of images that the service draws. */
export const drawnCredit = 'Drawn by the service itself, CC0 1.0, with Fluent Emoji by Microsoft, MIT';
