/** The changes of each style: the share of detail, the light, outlines, and a last change of every colour. */
import { adjust, fromHue, mix } from './colour';
import { createRandom } from './random';

/** The style of a scene: shares from 0 to 1 where nothing else is said. */
export interface SceneStyle {
  /** The share of small things that is drawn. */
  readonly detail: number;
  /** Brightness of the veil of light that a low sun lays over the land. */
  readonly bloom: number;
  /** Darkness of the corners. */
  readonly vignette: number;
  /** Flat colours in place of gradients. */
  readonly flat: boolean;
  /** Whether things have outlines. */
  readonly inked: boolean;
  /** Whether it is dark whatever the time of day. */
  readonly dark: boolean;
  /** Applied to every colour of the finished scene. */
  readonly finish?: (colour: string) => string;
}

const plain: SceneStyle = { detail: 0.7, bloom: 0.2, vignette: 0, flat: false, inked: false, dark: false };
const bold = (colour: string): string => adjust(colour, 1.03, 1.32);
const pale = (colour: string): string => adjust(mix(colour, '#f6f3ee', 0.38), 1, 0.7);
const dim = (colour: string): string => adjust(colour, 0.85, 0.95);

const styles: Readonly<Record<string, SceneStyle>> = {
  photo: { ...plain, detail: 1, bloom: 0.36, vignette: 0.55 },
  minimal: { ...plain, detail: 0, bloom: 0, flat: true, finish: pale },
  dark: { ...plain, bloom: 0.16, vignette: 0.5, dark: true, finish: dim },
  illustration: { ...plain, bloom: 0, flat: true, inked: true, finish: bold },
};

/** The style of a name. One that is not in the table has a tint of its own, so that it can be told apart. */
export function styleOf(name: string | undefined): SceneStyle {
  if (name === undefined) return plain;
  const tint = fromHue(0.7, 0.14, createRandom(name).between(0, 360));
  return styles[name] ?? { ...plain, finish: (colour) => mix(colour, tint, 0.3) };
}
