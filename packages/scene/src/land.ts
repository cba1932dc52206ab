/** Skylines, and the pieces of land below them: rolling ground and headlands. */
import { mix } from './colour';
import { type Frame, fromSide, type Side } from './frame';
import { createNoise, type Random } from './random';
import type { Land, Stage } from './stage';
import { curve, outline, type Point, polygon, polyline } from './svg';

/** The y of a skyline at an x, both in scene units. */
export type Profile = (x: number) => number;

/**
 * The shape of a rolling skyline, in scene units: between `base` and about `height` above it, with `octaves` layers
 * of ever finer detail, 2 when absent.
 */
export type HillShape = Readonly<Record<'base' | 'height' | 'wavelength', number>> & {
  readonly octaves?: number;
};

/** A rolling skyline. */
export function hills(random: Random, frame: Frame, hill: HillShape): Profile {
  const { base, height, wavelength, octaves = 2 } = hill;
  const noise = createNoise(random, octaves, 0.38);
  const shift = random.between(0, 60);
  return (x) => base - height * (0.5 + 0.62 * noise((x - frame.centre) / wavelength + shift));
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

/** The outline, crest and extent of the land below a skyline, down to `bottom` or else the lower border. */
export function landBelow(
  profile: Profile,
  frame: Frame,
  { bottom = frame.height + 5, jagged = false }: { readonly bottom?: number; readonly jagged?: boolean } = {},
): Pick<Land, 'path' | 'crest' | 'top' | 'bottom'> {
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

type GroundShape = HillShape & Pick<Land, 'colour' | 'distance' | 'mist'> & { readonly bottom?: number };

/** Rolling ground, down to `bottom` or else to the lower border. */
export function drawGround(stage: Stage, random: Random, ground: GroundShape): Ground {
  const profile = hills(random, stage.frame, ground);
  const land = { ...ground, ...landBelow(profile, stage.frame, ground) };
  return { profile, marks: stage.style.land(stage, land) };
}

/** Where a cape lies; `reach` and `height` are shares of width and rise. */
type Headland = Readonly<Record<'horizon' | 'reach' | 'height' | 'distance', number>> & {
  readonly label: string;
  readonly side: Side;
};

/** Draws a cape that reaches in from one side and falls to the water. */
export function drawHeadland(stage: Stage, cape: Headland): Ground {
  const { frame, style, materials } = stage;
  const noise = createNoise(stage.random.fork(cape.label), 4);
  const border = fromSide(frame, cape.side, 0);
  const length = Math.abs(fromSide(frame, cape.side, cape.reach) - border);
  const profile: Profile = (x) => {
    const inward = Math.max(0, (cape.side === 0 ? x - border : border - x) / length);
    const fall = Math.max(0, 1 - inward ** 2.2);
    return cape.horizon + 1 - cape.height * frame.rise * fall ** 0.6 * (0.82 + 0.4 * noise(inward * 4.2));
  };
  const marks = style.land(stage, {
    ...landBelow(profile, frame, { bottom: cape.horizon + 1, jagged: true }),
    colour: mix(materials.rock, materials.pine, 0.45),
    distance: cape.distance,
    mist: 0.6,
  });
  return { profile, marks };
}
