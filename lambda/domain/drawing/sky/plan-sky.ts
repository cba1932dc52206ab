/** Decides where the sun or the moon stands. */
import type { Stage } from '../stage';

/** Where the light stands and where the sky ends. */
export interface SkyPlan {
  readonly horizon: number;
  readonly sunX: number;
  readonly sunY: number;
  readonly sunRadius: number;
}

/** Places the sun or the moon for a horizon; the hour decides how high it stands. */
export function planSky(stage: Stage, horizon: number): SkyPlan {
  const { frame, time } = stage;
  const random = stage.random.fork('sun');
  const side = random.chance(0.5) ? random.between(0.2, 0.4) : random.between(0.6, 0.8);
  const heights: Readonly<Record<typeof time, readonly [number, number]>> = {
    dawn: [0.18, 0.34],
    day: [0.6, 0.78],
    golden: [0.26, 0.42],
    sunset: [0.1, 0.24],
    dusk: [0.5, 0.7],
    night: [0.52, 0.76],
  };
  const [low, high] = heights[time];
  const up = random.between(low, high) * horizon;
  const size =
    time === 'sunset' || time === 'golden' ? random.between(0.05, 0.068) : random.between(0.034, 0.046);
  return {
    horizon,
    sunX: frame.width * side,
    sunY: horizon - up,
    sunRadius: size * frame.unit,
  };
}
