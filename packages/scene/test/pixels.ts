/** Renders scenes to pixels, to compare what is seen. */
import sharp from 'sharp';
import { drawScene, type SceneRequest } from '../src/draw-scene';

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The RGB bytes of a scene, rendered in its own size and then scaled to the given one, if any. */
export const pixelsOf = (request: SceneRequest, { widthPx, heightPx }: Size = request): Promise<Buffer> =>
  sharp(Buffer.from(drawScene(request)))
    .resize(widthPx, heightPx, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();

/** The RGB bytes of a scene that is drawn for its own size and rendered in the given, smaller one. */
export const pixelsAt = (request: SceneRequest, { widthPx, heightPx }: Size): Promise<Buffer> => {
  const svg = drawScene(request).replace(
    / width="\d+" height="\d+"/,
    ` width="${widthPx}" height="${heightPx}"`,
  );
  return sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
};

/** The mean difference of two images of one size, 0 to 255. */
export function distance(one: Buffer, other: Buffer): number {
  expect(other).toHaveLength(one.length);
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
}
