/** The night sky over low hills: the Milky Way or northern lights, a lit tent, a shooting star. */
import { backdropOf, drawBackdrop } from './backdrop';
import { mix } from './colour';
import { drawFirRow } from './conifers';
import { sectionsOf } from './frame';
import { drawGround, type Ground } from './land';
import { drawTent } from './landmarks';
import { drawAurora, drawMilkyWay, drawStars } from './night';
import { drawBloom, drawSky, landscapeOf } from './sky';
import { names, type Stage } from './stage';

/** Draws the motif. */
export function drawNightSky(stage: Stage): string {
  const { frame, light, materials, time } = stage;
  const { random, horizon, sun } = landscapeOf(stage, 'night', 0.76, 0.82);
  const northern = names(stage, 'aurora borealis polarlicht') || random.chance(0.4);
  const camp = names(stage, 'camping campfire tent zelt') || random.chance(0.5);
  const kind = backdropOf(stage, ['mountains', 'city'], random.chance(0.5) ? 'mountains' : 'hills');
  const wood = (label: string, base: number, height: number, distance: number): Ground => {
    const colour = mix(materials.pine, light.shade, 0.6);
    const hill = { base, height, wavelength: frame.unit * 0.5, octaves: 3, colour, distance };
    const { profile, marks } = drawGround(stage, random.fork(label), hill);
    return { profile, marks: drawFirRow(stage, { label, profile, distance, density: 1.1 }, true) + marks };
  };
  const far = wood('far', horizon + frame.height * 0.07, frame.rise * 0.16, 0.3);
  const near = wood('near', frame.height * 0.99, frame.rise * 0.2, 0.05);
  const tents = sectionsOf(frame, random.fork('tents')).map(({ at }) => {
    const x = at(sun.x > at(0.5) ? 0.3 : 0.68);
    return drawTent(stage, { x, y: near.profile(x) + frame.unit * 0.012, height: frame.unit * 0.075 });
  });
  // Green curtains belong to the deep night; dusk's warm sky has the Milky Way at most.
  const band = time === 'night' && northern ? drawAurora : drawMilkyWay;
  return (
    drawSky(stage, sun) +
    (light.night ? band(stage, horizon) + drawStars(stage, horizon, 1.1) : '') +
    drawBackdrop(stage, kind, horizon + frame.height * 0.03, sun, 0.6) +
    far.marks +
    near.marks +
    (camp ? tents.join('') : '') +
    drawBloom(stage, sun)
  );
}
