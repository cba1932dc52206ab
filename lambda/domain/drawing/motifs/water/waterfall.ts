/** Running water: a river that winds out of the hills, or a fall between two cliffs. */
import { materialsOf } from '../../colour/materials';
import { drawFraming } from '../../plants/framing';
import { drawPineRow } from '../../plants/pines';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { drawCliffFall } from '../../terrain/cliff-fall';
import { hills, landBelow } from '../../terrain/profile';
import { drawRiver } from '../../terrain/river';
import { namesFall } from '../../words/falls';

/** Draws the motif. */
export function drawRunningWater(stage: Stage): string {
  const { frame, look, mood, words } = stage;
  const random = stage.random.fork('river');
  const materials = materialsOf(mood.season);
  const falls = namesFall(words);
  const horizon = frame.height * (falls ? 0.44 : random.between(0.5, 0.56));
  const depth = frame.height - horizon;
  const plan = planSky(stage, horizon);
  const kind = backdropOf(stage, ['mountains', 'city', 'forest'], 'mountains');
  const back =
    drawSky(stage, plan) + drawBackdrop(stage, kind, horizon + depth * 0.05, plan.sunX, falls ? 0.6 : 0.8);
  const near = hills(random.fork('near'), frame, {
    base: frame.height,
    height: depth * 0.1,
    wavelength: frame.unit * 0.5,
    octaves: 3,
  });
  const front = drawFraming(stage, { ground: near, away: plan.sunX }) + drawBloom(stage, plan);
  if (falls) return back + drawCliffFall(stage, horizon) + front;
  const bank = hills(random.fork('bank'), frame, {
    base: horizon + depth * 0.1,
    height: frame.rise * 0.1,
    wavelength: frame.unit * 0.5,
  });
  return (
    back +
    drawMist(stage, horizon + depth * 0.05, depth * 0.14, 0.4) +
    drawPineRow(stage, { label: 'bank', profile: bank, distance: 0.42, density: 0.9, tops: true }) +
    look.land(stage, {
      ...landBelow(bank, frame, frame.height + 5),
      colour: materials.grass,
      distance: 0.34,
      mist: 0.15,
    }) +
    drawRiver(stage, { top: horizon + depth * 0.13, bottom: frame.height, sunX: plan.sunX }) +
    front
  );
}
