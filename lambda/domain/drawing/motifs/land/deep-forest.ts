/** The inside of a wood: trunks that fade into bright mist, light falling between them. */
import { lit } from '../../colour/lit';
import { materialsOf } from '../../colour/materials';
import { mix } from '../../colour/mix';
import { drawCanopy, drawFerns } from '../../plants/canopy';
import { drawTrunks } from '../../plants/trunks';
import { drawLightShafts } from '../../sky/light-shafts';
import { drawStars } from '../../sky/stars';
import { drawMist } from '../../sky/weather';
import type { Stage } from '../../stage';
import { element } from '../../svg/element';
import { hills, landBelow } from '../../terrain/profile';

/** Draws the motif. */
export function drawDeepForest(stage: Stage): string {
  const { frame, light, look, canvas, mood } = stage;
  const random = stage.random.fork('deep-forest');
  const materials = materialsOf(mood.season);
  const glowX = frame.width * random.between(0.34, 0.66);
  const glowY = frame.height * random.between(0.36, 0.46);
  const air = mix(light.sky[2], light.haze, 0.4);
  const green = lit(stage, materials.leaves[0], 0.35);
  const back =
    element('rect', {
      width: frame.width,
      height: frame.height,
      fill: canvas.linear(0, 0, 0, frame.height, [
        [0, mix(air, green, 0.5)],
        [0.45, mix(air, light.glow, 0.35)],
        [1, mix(air, green, 0.3)],
      ]),
    }) +
    (light.night ? drawStars(stage, frame.height * 0.5, 0.5) : '') +
    element('rect', {
      width: frame.width,
      height: frame.height,
      fill: canvas.radial(glowX, glowY, frame.unit * 0.55, [
        [0, light.sun, light.night ? 0.4 : 0.9],
        [0.4, light.glow, light.night ? 0.16 : 0.45],
        [1, light.glow, 0],
      ]),
    });
  const rows = [0.88, 0.68, 0.45, 0.2]
    .map((distance, index) => {
      const ground = hills(random.fork(`ground${index}`), frame, {
        base: frame.height * (0.66 + 0.075 * index + (index === 3 ? 0.02 : 0)),
        height: frame.rise * 0.1,
        wavelength: frame.unit * 0.5,
      });
      const floor = look.land(stage, {
        ...landBelow(ground, frame, frame.height + 5),
        colour: mix(materials.grass, materials.bark, 0.25),
        distance: distance * 0.9,
        mist: 0.6,
      });
      return (
        (index > 0
          ? drawCanopy(stage, { label: `${index}`, depth: frame.height * (0.2 - 0.02 * index), distance })
          : '') +
        drawTrunks(stage, { label: `${index}`, ground, distance, count: [26, 17, 10, 5][index] ?? 8 }) +
        floor +
        (index > 0 ? drawFerns(stage, ground, distance) : '') +
        drawMist(stage, frame.height * (0.68 + 0.06 * index), frame.height * 0.14, 0.42 * distance) +
        (index === 1 || index === 2
          ? drawLightShafts(stage, glowX, light.night ? 0.06 : look.name === 'photo' ? 0.24 : 0.16)
          : '')
      );
    })
    .join('');
  const near = hills(random.fork('near'), frame, {
    base: frame.height * 0.99,
    height: frame.height * 0.06,
    wavelength: frame.unit * 0.4,
  });
  return (
    back +
    rows +
    drawCanopy(stage, { label: 'near', depth: frame.height * 0.13, distance: 0.05 }) +
    look.land(stage, {
      ...landBelow(near, frame, frame.height + 5),
      colour: mix(materials.grass, light.shade, 0.5),
      distance: 0,
    }) +
    drawFerns(stage, near, 0.02)
  );
}
