/** Skylines, and the pieces of land below them: rolling ground and headlands. */
import { mix } from './colour';
import { type Frame, fromSide, type Side } from './frame';
import { createNoise, type Random } from './random';
import type { Land, Stage } from './stage';
import { drawLand } from './styles';
import { curve, outline, type Point, polygon, polyline } from './svg';

/** The y of a skyline at an x, both in scene units. */
export type Profile = (x: number) => number;

/** A rolling skyline: from `base` to about `height` above it; `wave` is the length of a hill in units. */
export interface Hills {
  readonly base: number;
  readonly height: number;
  readonly wave: number;
  /** Layers of ever finer detail; 2 when absent. */
  readonly octaves?: number;
}

/** The skyline of rolling hills. */
export function hills(random: Random, frame: Frame, { base, height, wave, octaves = 2 }: Hills): Profile {
  const noise = createNoise(random, octaves, 0.38);
  const shift = random.between(0, 60);
  return (x) => base - height * (0.5 + 0.62 * noise((x - frame.centre) / (wave * frame.unit) + shift));
}

const SAMPLES_MAX = 240;

/** Points along a skyline, counted from the centre and reaching beyond both borders. */
export function sample(profile: Profile, frame: Frame, perUnit: number): readonly Point[] {
  const step = Math.max(frame.unit / perUnit, frame.width / SAMPLES_MAX);
  const reach = Math.ceil(frame.width / 2 / step) + 1;
  return Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const x = frame.centre + (index - reach) * step;
    return { x, y: profile(x) };
  });
}

/** The land below a skyline, down to `bottom` or else the lower border. */
export function landBelow(profile: Profile, frame: Frame, bottom = frame.height + 5, jagged = false) {
  const points = sample(profile, frame, jagged ? 92 : 24);
  const left = { x: points[0]?.x ?? 0, y: bottom };
  const right = { x: points.at(-1)?.x ?? 0, y: bottom };
  return {
    path: jagged ? polygon([...points, right, left]) : outline(points, [right], [left]),
    crest: jagged ? polyline(points) : curve(points),
    top: Math.min(...points.map(({ y }) => y)),
    bottom,
  };
}

/** A drawn piece of land and its skyline, so that things can stand on it. */
export interface Ground {
  readonly profile: Profile;
  readonly marks: string;
}

/** Rolling ground with a name of its own; `height` is a share of the frame's rise. */
export type GroundShape = Hills &
  Pick<Land, 'colour' | 'distance' | 'mist'> & { readonly label: string; readonly bottom?: number };

/** Draws rolling ground, down to `bottom` or else to the lower border. */
export function drawGround(stage: Stage, ground: GroundShape): Ground {
  const { frame, random } = stage;
  const height = ground.height * frame.rise;
  const profile = hills(random.fork(`ground-${ground.label}`), frame, { ...ground, height });
  const marks = drawLand(stage, { ...ground, ...landBelow(profile, frame, ground.bottom) });
  return { profile, marks };
}

/** Where a cape lies; `reach` and `height` are shares of width and rise. */
type Headland = Readonly<Record<'horizon' | 'reach' | 'height' | 'distance', number>> & {
  readonly label: string;
  readonly side: Side;
};

/** Draws a cape that reaches in from one side and falls to the water. */
export function drawHeadland(stage: Stage, cape: Headland): Ground {
  const { frame, materials } = stage;
  const noise = createNoise(stage.random.fork(cape.label), 4);
  const border = fromSide(frame, cape.side, 0);
  const inner = fromSide(frame, cape.side, cape.reach);
  const profile: Profile = (x) => {
    const inward = Math.max(0, (x - border) / (inner - border));
    const fall = Math.max(0, 1 - inward ** 2.2) ** 0.6;
    return cape.horizon + 1 - cape.height * frame.rise * fall * (0.82 + 0.4 * noise(inward * 4.2));
  };
  const land = landBelow(profile, frame, cape.horizon + 1, true);
  const colour = mix(materials.rock, materials.pine, 0.45);
  return { profile, marks: drawLand(stage, { ...land, colour, distance: cape.distance, mist: 0.6 }) };
}
