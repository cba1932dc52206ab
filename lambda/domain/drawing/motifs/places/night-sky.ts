/** The sky itself: the Milky Way or northern lights over low hills, a lit tent, a shooting star. */

import { drawTent } from '../../built/tent';
import { materialsOf } from '../../colour/materials';
import { mix } from '../../colour/mix';
import { drawPineRow } from '../../plants/pines';
import { drawAurora } from '../../sky/aurora';
import { drawBloom } from '../../sky/bloom';
import { drawMilkyWay } from '../../sky/milky-way';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawStars } from '../../sky/stars';
import type { Stage } from '../../stage';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { hills, landBelow } from '../../terrain/profile';

/** Draws the motif. */
export function drawNightSky(stage: Stage): string {
  const { frame, look, light, mood, words, time } = stage;
  const random = stage.random.fork('night');
  const materials = materialsOf(mood.season);
  const horizon = frame.height * random.between(0.76, 0.82);
  const plan = planSky(stage, horizon);
  const northern = ['aurora', 'borealis', 'polarlicht'].some((word) => words.has(word)) || random.chance(0.4);
  const camp = ['camping', 'campfire', 'tent', 'zelt'].some((word) => words.has(word)) || random.chance(0.5);
  const kind = backdropOf(stage, ['mountains', 'city'], random.chance(0.5) ? 'mountains' : 'hills');
  const row = (label: string, base: number, height: number, distance: number) => {
    const profile = hills(random.fork(label), frame, {
      base,
      height,
      wavelength: frame.unit * 0.5,
      octaves: 3,
    });
    const land = look.land(stage, {
      ...landBelow(profile, frame, frame.height + 5),
      colour: mix(materials.pine, light.shade, 0.6),
      distance,
    });
    return {
      profile,
      marks: drawPineRow(stage, { label, profile, distance, density: 1.1, tops: true }) + land,
    };
  };
  const far = row('far', horizon + frame.height * 0.07, frame.rise * 0.16, 0.3);
  const near = row('near', frame.height * 0.99, frame.rise * 0.2, 0.05);
  const spot = plan.sunX > frame.centre ? 0.3 : 0.68;
  // Green curtains belong to the deep night; dusk's warm sky has the Milky Way at most.
  const marvel =
    time === 'night' && northern
      ? drawAurora(stage, horizon)
      : light.night
        ? drawMilkyWay(stage, horizon)
        : '';
  return (
    drawSky(stage, plan) +
    marvel +
    (light.night ? drawStars({ ...stage, random: stage.random.fork('more') }, horizon, 1.1) : '') +
    drawBackdrop(stage, kind, horizon + frame.height * 0.03, plan.sunX, 0.6) +
    far.marks +
    near.marks +
    (camp
      ? drawTent(stage, {
          x: frame.width * spot,
          y: near.profile(frame.width * spot) + frame.unit * 0.012,
          height: frame.unit * 0.075,
        })
      : '') +
    drawBloom(stage, plan)
  );
}
