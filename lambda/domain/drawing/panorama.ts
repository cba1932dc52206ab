/** Very wide banners: one picture, continued to both sides by its own mirror image. */
import { element, num } from './svg/element';

/** Up to this ratio of width to height a picture is composed as a whole. */
export const ASPECT_MAX = 4;

/** Fills `totalWidth` with copies of a picture that is `width` wide; every second one is mirrored, so no seam shows. */
export function continueSideways(picture: string, width: number, totalWidth: number): string {
  if (totalWidth <= width) return picture;
  const reach = Math.ceil((totalWidth / width - 1) / 2);
  const start = (totalWidth - width) / 2;
  let copies = element(
    'g',
    { transform: `translate(${num(start)} 0)` },
    element('g', { id: 'scene' }, picture),
  );
  for (let place = -reach; place <= reach; place += 1) {
    if (place === 0) continue;
    const x = start + place * width;
    const transform =
      place % 2 === 0 ? `translate(${num(x)} 0)` : `translate(${num(x + width)} 0) scale(-1 1)`;
    copies += element('use', { href: '#scene', transform });
  }
  return copies;
}
