/** Use these files where a test reads images: one of each kind that another server may send. */
import sharp, { type Sharp } from 'sharp';

/** Images that several tests of a file start from, by kind and size; no test changes their bytes. */
const imagesByName = new Map<string, Promise<Buffer>>();
function once(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const known = imagesByName.get(key) ?? make();
  imagesByName.set(key, known);
  return known;
}

export const png = (widthPx: number, heightPx: number) =>
  once(`png ${widthPx} ${heightPx}`, () => {
    const leftPx = Math.floor(widthPx / 2);
    const red = {
      create: { width: Math.max(1, leftPx), height: heightPx, channels: 3 as const, background: '#c00' },
    };
    const background = '#00c';
    return sharp({ create: { width: widthPx, height: heightPx, channels: 3, background } })
      .composite([{ input: red, left: 0, top: 0 }])
      .png()
      .toBuffer();
  });

/** An image that is red on the left and blue on the right. */
const halves = async (widthPx: number, heightPx: number): Promise<Sharp> =>
  sharp(await png(widthPx, heightPx));

export const jpeg = (widthPx: number, heightPx: number) =>
  once(`jpeg ${widthPx} ${heightPx}`, async () => (await halves(widthPx, heightPx)).jpeg().toBuffer());

/** A JPEG stored on its side: upright it is `heightPx` wide. Orientation 6 turns it clockwise. */
export const sideways = async (widthPx: number, heightPx: number) =>
  (await halves(widthPx, heightPx)).jpeg().withMetadata({ orientation: 6 }).toBuffer();

/** A JPEG whose metadata contains a location and an author. */
export const telling = async () =>
  (await halves(400, 300))
    .jpeg()
    .withExif({
      IFD0: { Artist: 'Private Person', Make: 'Camera' },
      IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">somewhere secret</x:xmpmeta>')
    .toBuffer();

export const cmyk = async () => (await halves(400, 300)).toColourspace('cmyk').jpeg().toBuffer();
export const deepPng = async () => (await halves(400, 300)).toColourspace('rgb16').png().toBuffer();
export const greyscale = async () => (await halves(400, 300)).greyscale().jpeg().toBuffer();

/** A PNG of which nothing can be seen. */
export const transparent = () =>
  sharp({ create: { width: 400, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toBuffer();

/** A GIF or WebP of two frames. */
export const moving = async (format: 'gif' | 'webp') => {
  const frames = await Promise.all([png(400, 300), jpeg(400, 300)]);
  return sharp(frames, { join: { animated: true } })
    [format]({ delay: [100, 100] })
    .toBuffer();
};

/** A PNG of a few kilobytes that unpacks to 64 million pixels and some. */
export const bomb = () =>
  sharp(Buffer.alloc(8_001 * 8_001), {
    raw: { width: 8_001, height: 8_001, channels: 1 },
    limitInputPixels: false,
  })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer();

/** A JPEG with data sets of IPTC's Application Record 2, each by its number. */
export function withIptc(jpeg: Buffer, sets: readonly (readonly [number: number, value: string])[]): Buffer {
  const content = sets.flatMap(([number, value]) => [
    Buffer.from([0x1c, 2, number, 0, Buffer.byteLength(value)]),
    Buffer.from(value),
  ]);
  const { length } = Buffer.concat(content);
  const block = Buffer.concat([
    Buffer.from('Photoshop 3.0\0' + '8BIM\x04\x04\0\0\0\0', 'latin1'),
    Buffer.from([length >> 8, length & 255]),
    ...content,
    Buffer.alloc(length % 2),
  ]);
  const head = Buffer.from([0xff, 0xed, (block.length + 2) >> 8, (block.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), head, block, jpeg.subarray(2)]);
}
