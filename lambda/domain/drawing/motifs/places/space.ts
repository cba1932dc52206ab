/** Space: a great planet lit from one side, a moon, nebulae and stars. */
import { fromHue, mix } from '../../colour/mix';
import { drawPlanet } from '../../sky/planet';
import { drawStars } from '../../sky/stars';
import type { Stage } from '../../stage';
import { element } from '../../svg/element';

/** Draws the motif. */
export function drawSpace(stage: Stage): string {
  const { frame, light, canvas, look } = stage;
  const random = stage.random.fork('space');
  const hue = random.between(200, 330);
  const [zenith, upper] = light.sky;
  const base = element('rect', {
    width: frame.width,
    height: frame.height,
    fill: canvas.linear(0, 0, frame.width * 0.4, frame.height, [
      [0, mix(zenith, '#000000', 0.25)],
      [0.55, upper],
      [1, zenith],
    ]),
  });
  let nebula = '';
  const tilt = random.between(-0.5, 0.5);
  for (let index = 0; index < 8; index += 1) {
    const t = index / 7 - 0.5;
    const x = frame.centre + t * frame.width * 1.1;
    const y = frame.height * (0.5 + t * tilt + random.between(-0.22, 0.22));
    const radius = frame.unit * random.between(0.22, 0.46);
    const colour = fromHue(0.5, look.name === 'dark' ? 0.11 : 0.16, hue + random.between(-42, 42));
    nebula += element('rect', {
      width: frame.width,
      height: frame.height,
      fill: canvas.radial(
        x,
        y,
        radius,
        [
          [0, colour, 0.5],
          [0.5, colour, 0.2],
          [1, colour, 0],
        ],
        random.between(0.5, 0.95),
      ),
    });
  }
  const right = random.chance(0.5);
  const radius = Math.min(frame.width, frame.height) * random.between(0.26, 0.36);
  const planet = {
    x: frame.width * (right ? 0.64 : 0.36),
    y: frame.height * random.between(0.5, 0.62),
    radius,
    hue: hue + random.between(90, 260),
    sunwards: (right ? 205 : -25) + random.between(-18, 18),
    rings: random.chance(0.55) || stage.words.has('saturn'),
  };
  const small = radius * random.between(0.13, 0.22);
  return (
    base +
    (look.name === 'illustration' ? '' : nebula) +
    drawStars({ ...stage, random: stage.random.fork('field') }, frame.height * 1.06, 1.7) +
    drawPlanet(stage, {
      ...planet,
      label: 'far-moon',
      x: frame.width * (right ? 0.2 : 0.8),
      y: frame.height * random.between(0.2, 0.34),
      radius: small,
      hue: hue + 60,
      rings: false,
    }) +
    drawPlanet(stage, { ...planet, label: 'planet' })
  );
}
