/** What falls or drifts in front of a picture: snow, rain, banks of fog. */
import type { Stage } from '../stage';
import { element, num } from '../svg/element';

function snow(stage: Stage): string {
  const { frame } = stage;
  const scale = frame.unit / 1000;
  return [
    { count: 130, size: 3, opacity: 0.55 },
    { count: 70, size: 5.5, opacity: 0.7 },
    { count: 22, size: 10, opacity: 0.5 },
  ]
    .map(({ count, size, opacity }, index) => {
      const random = stage.random.fork(`flakes${index}`);
      const data = Array.from(
        { length: count },
        () => `M${num(random.next() * frame.width)} ${num(random.next() * frame.height)}h0`,
      ).join('');
      return element('path', {
        d: data,
        stroke: '#ffffff',
        'stroke-width': size * scale,
        'stroke-linecap': 'round',
        'stroke-opacity': opacity,
      });
    })
    .join('');
}

function rain(stage: Stage): string {
  const { frame } = stage;
  const random = stage.random.fork('rain');
  let data = '';
  for (let drop = 0; drop < 170; drop += 1) {
    const length = frame.unit * random.between(0.02, 0.055);
    data += `M${num(random.between(-0.05, 1.05) * frame.width)} ${num(random.between(-0.05, 1) * frame.height)}l${num(-length * 0.22)} ${num(length)}`;
  }
  return element('path', {
    d: data,
    fill: 'none',
    stroke: '#e6eef6',
    'stroke-width': 0.0014 * frame.unit,
    'stroke-opacity': 0.34,
  });
}

/** A soft bank of mist at a height, across the whole picture. */
export function drawMist(stage: Stage, y: number, thickness: number, opacity: number): string {
  const { frame, light, canvas } = stage;
  const fill = canvas.linear(0, y - thickness, 0, y + thickness, [
    [0, light.haze, 0],
    [0.5, light.haze, opacity],
    [1, light.haze, 0],
  ]);
  return element('rect', { y: y - thickness, width: frame.width, height: 2 * thickness, fill });
}

/** Draws the weather in front of everything else. */
export function drawWeather(stage: Stage): string {
  switch (stage.mood.weather) {
    case 'snow':
      return snow(stage);
    case 'rain':
      return rain(stage);
    case 'fog':
      return drawMist(stage, stage.frame.height * 0.62, stage.frame.height * 0.3, 0.5);
    default:
      return '';
  }
}
