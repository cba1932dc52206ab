/** Placeholders look like their images, in the images' ratio, and are small. */

import sharp from 'sharp';
import type { Placeholder } from '../../../lambda/images/image';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import { transparent } from '../../fakes/images';

/** Left half red, right half blue. */
async function halves(width: number, height: number): Promise<Buffer> {
  const red = await sharp({ create: { width: width / 2, height, channels: 3, background: '#d02020' } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#2020d0' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .jpeg()
    .toBuffer();
}

const bytesOf = ({ dataUri }: Placeholder) => Buffer.from(dataUri.split(',')[1] ?? '', 'base64');

/** Mean red, green and blue of the left or right half. */
async function meanOf(image: Buffer, side: 'left' | 'right'): Promise<number[]> {
  const { width = 0, height = 0 } = await sharp(image).metadata();
  const half = Math.floor(width / 2) - 1;
  const region = { left: side === 'left' ? 0 : width - half, top: 0, width: half, height };
  const part = await sharp(image).extract(region).removeAlpha().toBuffer();
  return (await sharp(part).stats()).channels.map(({ mean }) => mean);
}

describe('the placeholder of an image', () => {
  it.each([
    [600, 400, 16, 11],
    [1920, 1080, 16, 9],
    [400, 400, 16, 16],
    [400, 600, 11, 16],
    [4000, 100, 16, 1],
  ])('of %i × %i pixels is a WebP of %i × %i', async (width, height, small, low) => {
    const placeholder = await codec.placeholder(await halves(width, height));
    expect(placeholder.color).toMatch(/^#[0-9a-f]{6}$/);
    expect(placeholder.dataUri).toMatch(/^data:image\/webp;base64,[\w+/]{1,2000}={0,2}$/);
    expect(await sharp(bytesOf(placeholder)).metadata()).toMatchObject({
      format: 'webp',
      width: small,
      height: low,
    });
    expect(placeholder.dataUri.length).toBeLessThan(400);
  });

  it('has the colours of the image where the image has them', async () => {
    const placeholder = await codec.placeholder(await halves(600, 400));
    const [leftRed = 0, , leftBlue = 0] = await meanOf(bytesOf(placeholder), 'left');
    const [rightRed = 0, , rightBlue = 0] = await meanOf(bytesOf(placeholder), 'right');
    expect(leftRed).toBeGreaterThan(leftBlue + 60);
    expect(rightBlue).toBeGreaterThan(rightRed + 60);
    expect(placeholder.color).toMatch(/^#7[0-9a-f]2[0-9a-f]7[0-9a-f]$/);
  });

  it('is white where the image is transparent', async () => {
    expect((await codec.placeholder(await transparent())).color).toBe('#ffffff');
  });

  it('names a dark colour with all its digits', async () => {
    const dark = sharp({ create: { width: 8, height: 8, channels: 3, background: '#00030a' } });
    expect((await codec.placeholder(await dark.png().toBuffer())).color).toBe('#00030a');
  });

  it('is refused for what is no image', async () => {
    await expect(codec.placeholder(Buffer.from('no image'))).rejects.toThrow();
  });
});
