/** The example pictures of the service's own pages: drawn when it is deployed, so that a look at them is no request. */

/** A picture, the request that it stands for, and what it shows. */
export interface Example {
  readonly words: string;
  readonly seed?: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly alt: string;
}

/** Each by the name of its file, without the ending. */
export const examples = {
  'mountain-lake': { words: 'mountain lake', widthPx: 1200, heightPx: 800, alt: 'A mountain lake' },
  'city-at-night': { words: 'city at night', widthPx: 800, heightPx: 500, alt: 'A city at night' },
  'city-at-night-2': {
    words: 'city at night',
    seed: '2',
    widthPx: 800,
    heightPx: 500,
    alt: 'The same words with another seed: a different city at night',
  },
} as const satisfies Readonly<Record<string, Example>>;

/** The name of an example. */
export type ExampleName = keyof typeof examples;

/** Where the examples are, below the image distribution. Each content has a folder of its own in it. */
export const examplesPrefix = 'public/examples/';

/** The credit of everything that the service draws. */
export const drawnCredit = 'Drawn by the service itself, CC0 1.0, with Fluent Emoji by Microsoft, MIT';
