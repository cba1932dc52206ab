/** Renders scenes to pixels, to compare what is seen. */
import sharp from 'sharp';
import { drawScene, type SceneRequest } from '../src/scene';

/** The RGB bytes of a scene, scaled to the given size, or else in its own. */
export const pixelsOf = (
  request: SceneRequest,
  size: { widthPx: number; heightPx: number } = request,
): Promise<Buffer> =>
  sharp(Buffer.from(drawScene(request)))
    .resize(size.widthPx, size.heightPx, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();

/** The mean difference of two images of one size, 0 to 255. */
export function distance(one: Buffer, other: Buffer): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
}
