/** A desert: dunes with a lit and a shaded slope, table mountains far off. */
import { lit } from '../../colour/lit';
import { mix } from '../../colour/mix';
import { drawCactus } from '../../plants/cactus';
import { drawBloom } from '../../sky/bloom';
import { planSky } from '../../sky/plan-sky';
import { drawSky } from '../../sky/sky';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { backdropOf, drawBackdrop } from '../../terrain/backdrop';
import { drawDune } from '../../terrain/dunes';
import { drawMesas } from '../../terrain/mesas';

/** Draws the motif. */
export function drawDesert(stage: Stage): string {
  const { frame, words, light } = stage;
  const random = stage.random.fork('desert');
  const horizon = frame.height * random.between(0.54, 0.62);
  const depth = frame.height - horizon;
  const plan = planSky(stage, horizon);
  const rocky =
    words.has('mesa') ||
    words.has('arizona') ||
    words.has('canyonland') ||
    words.has('cactus') ||
    words.has('kaktus') ||
    random.chance(0.45);
  const sand = rocky
    ? random.pick(['#d98f5c', '#cf8058', '#d9a066'])
    : random.pick(['#e8b06a', '#e0a265', '#efc48a']);
  const kind = backdropOf(stage, ['mountains', 'city'], 'hills');
  const dune = (label: string, level: number, height: number, distance: number): string =>
    drawDune(stage, {
      label,
      base: horizon + depth * level,
      height: frame.rise * height,
      distance,
      sand,
      sunX: plan.sunX,
    });
  const spot = plan.sunX > frame.centre ? 0.16 : 0.84;
  return (
    drawSky(stage, plan) +
    (kind === 'hills' ? '' : drawBackdrop(stage, kind, horizon + depth * 0.08, plan.sunX, 0.7)) +
    (rocky
      ? drawMesas(stage, horizon + depth * 0.1, mix(sand, '#8a4a3a', 0.45))
      : dune('far', 0.1, 0.34, 0.78)) +
    drawMist(stage, horizon + depth * 0.1, depth * 0.2, 0.45) +
    dune('third', 0.3, 0.34, 0.55) +
    dune('second', 0.56, 0.4, 0.3) +
    dune('first', 1.02, 0.52, 0.04) +
    (rocky
      ? drawCactus(
          stage,
          { x: frame.width * spot, y: frame.height * 0.93, height: frame.unit * 0.2 },
          lit(stage, mix('#3f6b4a', light.shade, 0.3), 0),
        ) +
        drawCactus(
          stage,
          {
            x: frame.width * (1 - spot) - frame.unit * 0.05,
            y: horizon + depth * 0.5,
            height: frame.unit * 0.07,
          },
          lit(stage, mix('#3f6b4a', light.shade, 0.2), 0.4),
        )
      : '') +
    drawBloom(stage, plan)
  );
}
