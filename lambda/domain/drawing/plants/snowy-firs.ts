/** Firs that carry snow on every tier. */
import { lit } from '../colour/lit';
import { mix } from '../colour/mix';
import type { Stage } from '../stage';
import { element, num } from '../svg/element';
import type { Profile } from '../terrain/profile';

/** Where the firs stand; `clear` is an x that stays free. */
export interface SnowyFirs {
  readonly label: string;
  readonly profile: Profile;
  readonly distance: number;
  readonly count: number;
  readonly clear?: number;
}

/** Draws the group, back to front. */
export function drawSnowyFirs(stage: Stage, { label, profile, distance, count, clear }: SnowyFirs): string {
  const { frame, light, look } = stage;
  const random = stage.random.fork(`snowy-${label}`);
  const green = lit(stage, mix('#2d5a58', light.shade, 0.2), distance);
  const white = lit(stage, '#f8fbff', distance * 0.7);
  const edge = look.edge(stage, 0.6);
  const tall = frame.unit * (0.3 - 0.36 * distance);
  const number = Math.round(count * Math.min(1.35, Math.max(0.7, frame.width / frame.unit)));
  let marks = '';
  for (let index = 0; index < number; index += 1) {
    const x = ((index + random.between(0.05, 0.95)) / number) * frame.width;
    const height = tall * random.between(0.55, 1.1);
    if (clear !== undefined && Math.abs(x - clear) < frame.unit * 0.13) continue;
    const y = profile(x) + height * 0.06;
    const tiers = distance > 0.4 ? 3 : 4;
    let body = '';
    let snow = '';
    for (let tier = tiers; tier >= 1; tier -= 1) {
      const t = tier / tiers;
      const reach = height * 0.23 * t ** 0.8 * random.between(0.92, 1.1);
      const foot = y - height * (0.98 - t * 0.9);
      const peak = foot - height * (0.24 + 0.1 * t);
      body += `M${num(x)} ${num(peak)}L${num(x + reach)} ${num(foot)}Q${num(x)} ${num(foot + reach * 0.28)} ${num(x - reach)} ${num(foot)}Z`;
      const hem = (dx: number, dy: number): string =>
        `${num(x + reach * dx)} ${num(foot - (foot - peak) * dy)}`;
      snow += `M${num(x)} ${num(peak)}L${hem(0.9, 0.1)}Q${hem(0.62, 0.12)} ${hem(0.42, 0.36)}Q${hem(0.26, 0.2)} ${hem(0.02, 0.4)}Q${hem(-0.2, 0.24)} ${hem(-0.36, 0.42)}Q${hem(-0.56, 0.2)} ${hem(-0.84, 0.16)}Z`;
    }
    marks +=
      element('path', {
        d: `M${num(x - height * 0.025)} ${num(y - height * 0.1)}h${num(height * 0.05)}v${num(height * 0.1)}h${num(-height * 0.05)}z${body}`,
        fill: green,
        ...edge,
      }) + element('path', { d: snow, fill: white, 'fill-opacity': light.night ? 0.6 : 0.92 });
  }
  return marks;
}
