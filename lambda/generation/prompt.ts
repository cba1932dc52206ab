/** Writes the prompt for a model from the words and the style of a request. */

import type { Style } from '../contract/request-bounds';
import type { DrawingTask } from './ai-image-identity';

/** Two texts for each style: what the image shows, and what it must not show. */
const styleTexts: Readonly<Record<Style, readonly [wanted: string, unwanted: string]>> = {
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

const alwaysUnwanted = 'text, letters, watermark, signature, logo, border, deformed, blurred';

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

/** Longest prompt that every model takes, in characters. The end of longer words is left out. */
const promptCharactersMax = 1_024;

/** Writes the prompt of an image, and names what the image must not show. */
export function writePrompt(task: Pick<DrawingTask, 'words' | 'style' | 'variation'>) {
  const { words, style, variation } = task;
  const [wanted, unwanted] = styleTexts[style];
  const viewpoint = variation === undefined ? undefined : viewpoints[(variation - 1) % viewpoints.length];
  const subject = viewpoint === undefined ? words : `${words}, ${viewpoint}`;
  const styleText = `. ${wanted}.`;
  return {
    prompt: `${subject.slice(0, promptCharactersMax - styleText.length)}${styleText}`,
    unwanted: `${alwaysUnwanted}, ${unwanted}`,
  };
}
