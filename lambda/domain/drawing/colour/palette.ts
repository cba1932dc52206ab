/** The light of a picture: sky, sun, haze, and what the hour does to the colour of things. */

/** A curated set of colours that go together; all values are `#rrggbb`. */
export interface Palette {
  /** From the zenith to the horizon. */
  readonly sky: readonly [string, string, string, string];
  readonly sun: string;
  /** The halo round the sun or the moon. */
  readonly glow: string;
  /** What distance fades into. */
  readonly haze: string;
  /** The hour's own colour, and how far (0 to 1) it takes over the colour of near things. */
  readonly tint: string;
  readonly tintAmount: number;
  /** Shadows and silhouettes. */
  readonly shade: string;
  readonly cloud: string;
  /** Small bright things: windows, flowers, sails. */
  readonly accent: string;
  /** True where stars show and lamps are lit. */
  readonly night: boolean;
}

/** Writes a palette in one line: sky, then sun, glow, haze, tint, amount, shade, cloud, accent. */
export function palette(
  sky: readonly [string, string, string, string],
  [sun, glow, haze]: readonly [string, string, string],
  [tint, tintAmount]: readonly [string, number],
  [shade, cloud, accent]: readonly [string, string, string],
  night = false,
): Palette {
  return { sky, sun, glow, haze, tint, tintAmount, shade, cloud, accent, night };
}
