/** Single things that stand in a landscape: boat, lighthouse, cabin, tent, palm, cactus. */
import { mix } from './colour';
import { edgeOf, type Footing, figure, lit, type Part, type Scene } from './scene';
import { glow } from './sky';
import { ellipse, fade, line, type Point, path, repeat, shape } from './svg';

/** A small sailing boat; y is the water line. */
export function drawSailboat(scene: Scene, footing: Footing): string {
  const { light } = scene;
  const sail = mix(light.night ? mix(light.cloud, '#ffffff', 0.35) : '#fffaf0', light.glow, 0.3);
  return figure(scene, footing, [
    ['M-.3 .06Q0 .34 .36 .06Z', light.shade, { opacity: 0.25 }],
    ['M.02 -1Q.46 -.5 .4 -.1H.02Z', sail],
    ['M-.03 -.86Q-.12 -.4 -.32 -.12H-.03Z', mix(sail, light.haze, 0.3)],
    ['M-.36 -.06H.42Q.32 .08 .2 .08H-.22Z', lit(scene, '#8a4b38', 0.05)],
  ]);
}

/** A lighthouse, its beam lit when the light is low; y is its foot. */
export function drawLighthouse(scene: Scene, { x, y, height }: Footing): string {
  const { light, defs, frame, time } = scene;
  const red = lit(scene, '#c8473c', 0.15);
  const reach = (x > frame.centre ? -1 : 1) * Math.min(frame.width * 0.44, 0.62 * frame.unit);
  const beam = path`M${x} ${y - 0.86 * height}l${reach} ${-0.26 * height}v${0.4 * height}z`;
  const shine = defs.linear(x, 0, x + reach, 0, ...fade(light.accent, [0, 0.5], [1, 0]));
  const tower: readonly Part[] = [
    ['M-.13 .05H.13L.085 -.8H-.085Z', lit(scene, '#f6f1e8', 0.15)],
    ['M-.124 -.12H.124L.116 -.28H-.116ZM-.108 -.44H.108L.1 -.6H-.1Z', red],
    ['M-.11 -.8H.11V-.77H-.11Z', lit(scene, '#2f3644', 0.1)],
    ['M-.06 -.8H.06V-.92H-.06Z', light.accent],
    ['M-.085 -.92Q0 -1.06 .085 -.92Z', red],
    ['M.02 .05H.13L.085 -.8H.03Z', light.shade, { opacity: 0.18 }],
  ];
  const shines = light.night || time === 'sunset';
  return (shines ? shape(beam, shine) : '') + figure(scene, { x, y, height }, tower);
}

/** A wooden cabin under snow, with lit windows and smoke; y is the ground. */
export function drawCabin(scene: Scene, { x, y, height }: Footing): string {
  const { light, defs, time } = scene;
  const wood = lit(scene, '#7a4a36', 0.08);
  const roof = lit(scene, '#f6faff', 0.1);
  const strength = light.night ? 0.5 : time === 'sunset' ? 0.25 : 0;
  const pane = strength > 0 ? mix(light.accent, '#ffffff', 0.2) : '#ffe2a0';
  const smoke = defs.vertical(-2.4, -1.05, ...fade(light.cloud, [0, 0], [1, 0.6]));
  const plume = 'M.34 -1.1C.2 -1.4 .62 -1.6 .46 -1.95C.4 -2.1 .62 -2.3 .8 -2.4C.7 -2.1 .74 -1.9 .66 -1.7';
  const cabin: readonly Part[] = [
    [`${plume}C.56 -1.45 .44 -1.3 .48 -1.1Z`, smoke, {}],
    ['M.32 -.7H.5V-1.1H.32Z', lit(scene, '#5d4a48', 0.08)],
    ['M-.78 0V-.5L-.4 -.98L0 -.5V0Z', wood],
    ['M0 0V-.5H.78V0Z', mix(wood, light.shade, 0.25)],
    ['M-.4 -1.04H.5L.9 -.44H.02Z', roof],
    ['M-.4 -1.06L-.9 -.42L-.78 -.4L-.38 -.9L0 -.42L.12 -.44Z', mix(roof, light.shade, 0.08)],
    ['M-.5 -.16h.2v-.26h-.2zM.2 -.14h.17v-.2h-.17zM.5 -.14h.17v-.2h-.17z', pane],
  ];
  return (
    figure(scene, { x, y, height }, cabin) +
    glow(scene, { x, y: y - height * 0.3, radius: height * 1.8 }, light.accent, strength)
  );
}

/** A small tent with a lamp in it; y is the ground. */
export function drawTent(scene: Scene, { x, y, height }: Footing): string {
  const { light, defs } = scene;
  const warm = light.night ? light.accent : mix('#e8895a', light.tint, light.tintAmount);
  const cloth = defs.radial(0, -0.2, 1.1, [mix(warm, '#ffffff', 0.45), warm, mix(warm, '#8a3a2a', 0.6)]);
  const tent: readonly Part[] = [
    ['M-1.05 .1Q-.35 -.45 -.12 -.98H.12Q.4 -.45 1.1 .1Z', cloth],
    ['M-.02 -.96L-.3 .1H.26Z', mix(warm, '#ffffff', 0.62), { opacity: 0.85 }],
    ['M0 -.96V.1', 'none', { stroke: lit(scene, '#5a3a30'), 'stroke-width': 0.02 }],
  ];
  const lamp = { x, y: y - height * 0.3, radius: height * 3.4 };
  return glow(scene, lamp, light.accent, light.night ? 0.42 : 0) + figure(scene, { x, y, height }, tent);
}

/** One frond: a curved rib with a comb of leaflets hanging from it; angles in degrees. */
function frond({ x, y }: Point, length: number, degrees: number): string {
  const angle = (degrees * Math.PI) / 180;
  const [dx, dy] = [Math.cos(angle) * length, -Math.sin(angle) * length];
  const [bowX, bowY, endX, endY] = [dx * 0.55, dy * 0.75 - length * 0.12, dx, dy + length * 0.42];
  const comb = repeat(9, (leaflet) => {
    const t = (9 - leaflet) / 10;
    const ribX = x + 2 * t * (1 - t) * bowX + t * t * endX;
    const ribY = y + 2 * t * (1 - t) * bowY + t * t * endY;
    const hang = length * 0.2 * Math.sin(Math.PI * (t * 0.9 + 0.1));
    return path`L${ribX + dx * 0.05} ${ribY + hang}L${ribX - dx * 0.02} ${ribY + hang * 0.25}`;
  });
  return path`M${x} ${y}q${bowX} ${bowY} ${endX} ${endY}${comb}Z`;
}

/** The directions of a palm's fronds; every second one lies behind the trunk. */
const FROND_DEGREES = [168, 146, 205, 120, 62, 34, 12, -24, 92];

/** A palm that leans to the right (1) or to the left (-1); y is its foot. */
export function drawPalm(scene: Scene, { x, y, height }: Footing, lean: 1 | -1): string {
  const { light } = scene;
  const random = scene.random.fork(`palm${Math.round(height)}`);
  const top = { x: x + lean * height * random.between(0.2, 0.32), y: y - height };
  const [bowX, bowY] = [x + lean * height * 0.02, y - height * 0.6];
  const thick = height * 0.026;
  const left = path`M${x - thick * 2.2} ${y}Q${bowX - thick} ${bowY} ${top.x - thick * 0.6} ${top.y}`;
  const right = path`h${thick * 1.2}Q${bowX + thick} ${bowY} ${x + thick * 2.2} ${y}Z`;
  const crown = (behind: boolean): string =>
    FROND_DEGREES.filter((_, index) => (index % 2 === 1) === behind)
      .map((turn) => frond(top, height * random.between(0.32, 0.42), turn + random.between(-8, 8)))
      .join('');
  const leaf = lit(scene, mix('#2f6b4a', light.shade, 0.3));
  const edge = edgeOf(scene, 0.7);
  const shadow = ellipse(x - lean * thick * 4, y + thick * 0.4, thick * 9, thick * 1.5);
  return (
    shape(shadow, light.shade, { 'fill-opacity': 0.18 }) +
    shape(crown(true), mix(leaf, light.shade, 0.4), edge) +
    shape(left + right, lit(scene, mix('#7a5a40', light.shade, 0.25)), edge) +
    shape(crown(false), leaf, edge)
  );
}

/** A branching cactus; y is its foot. */
export function drawCactus(scene: Scene, { x, y, height }: Footing, distance: number): string {
  const { light, style } = scene;
  const random = scene.random.fork(`cactus${Math.round(height)}`);
  const arm = (side: 1 | -1, from: number): string => {
    const out = side * height * 0.115;
    const up = height * random.between(0.1, 0.25);
    return path`M${x} ${y - height * (from + random.between(0, 0.1))}h${out}q${out} 0 ${out} ${-side * out}v${-up}`;
  };
  const data = path`M${x} ${y}V${y - height}` + arm(-1, 0.34) + arm(1, 0.46);
  const stroke = (width: number, ink: string, opacity?: number): string =>
    line(data, ink, width * height, { 'stroke-linejoin': 'round', 'stroke-opacity': opacity });
  const colour = lit(scene, mix('#3f6b4a', light.shade, 0.3 - distance * 0.25), distance);
  const inked = style.name === 'illustration' ? stroke(0.17, light.shade) : '';
  return inked + stroke(0.13, colour) + stroke(0.02, light.glow, 0.28);
}
