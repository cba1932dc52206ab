/** Builds the prompt for a model from the caller's words and the style. */

import type { Style } from '../contract/request-bounds';
import type { DrawingOrder } from './generation-identity';

/** What is wanted of each style, and what is unwanted in it. */
const manners: Readonly<Record<Style, readonly [wanted: string, unwanted: string]>> = {
  photo: [
    'An ultra-realistic photograph: natural light, true colours, sharp focus, fine texture, real depth of field, taken with a full-frame camera',
    'illustration, painting, drawing, cartoon, 3D render',
  ],
  minimal: [
    'A minimal, clean composition: one clear subject in a few simple shapes, much empty space, soft even light, a plain neutral background in off-white and pale grey',
    'clutter, busy background, many objects, strong patterns, garish colours',
  ],
  dark: [
    'A dark image for dark-mode interfaces: near-black background, low-key light, deep shadows, a few cool restrained highlights, calm edges',
    'white background, daylight, bright areas, high key, overexposure',
  ],
  illustration: [
    'An artistic illustration: hand-made shapes, expressive brushwork, a bold and harmonious palette, imaginative and decorative, plainly drawn',
    'photograph, photorealism, camera noise',
  ],
};

/** Unwanted in every style. */
const always = 'text, letters, watermark, signature, logo, border, deformed, blurred';

/** How variation 1 to 10 shows the same thing in another way. */
const viewpoints = [
  'seen from farther away',
  'seen from close by',
  'seen from a low viewpoint',
  'seen from above',
  'with the subject on the left',
  'with the subject on the right',
  'in the light of early morning',
  'in the light of late evening',
  'in another season',
  'framed by something in the foreground',
] as const;

/** What the models with the least room take, in characters; what is beyond it of a long text is the manner's. */
const promptCharactersMax = 1_024;

/** The words and the viewpoint of an order, in the manner of its style. */
export function promptFor({ words, style, variation }: Pick<DrawingOrder, 'words' | 'style' | 'variation'>) {
  const [wanted, unwanted] = manners[style];
  const viewpoint = variation === undefined ? undefined : viewpoints[(variation - 1) % viewpoints.length];
  const subject = viewpoint === undefined ? words : `${words}, ${viewpoint}`;
  return {
    prompt: `${subject}. ${wanted}.`.slice(0, promptCharactersMax),
    unwanted: `${always}, ${unwanted}`,
  };
}
