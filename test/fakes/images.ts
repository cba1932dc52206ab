/** Use these files where a test reads images: one of each kind that another server may send. */
import sharp, { type Sharp } from 'sharp';

/** Images that several tests of a file start from, by kind and size; no test changes their bytes. */
const imagesByName = new Map<string, Promise<Buffer>>();
function keepOrMake(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const image = imagesByName.get(key) ?? make();
  imagesByName.set(key, image);
  return image;
}

export const makePng = (widthPx: number, heightPx: number) =>
  keepOrMake(`png ${widthPx} ${heightPx}`, () => {
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
const makeHalves = async (widthPx: number, heightPx: number): Promise<Sharp> =>
  sharp(await makePng(widthPx, heightPx));

export const makeJpeg = (widthPx: number, heightPx: number) =>
  keepOrMake(`jpeg ${widthPx} ${heightPx}`, async () =>
    (await makeHalves(widthPx, heightPx)).jpeg().toBuffer(),
  );

/** A JPEG stored on its side: upright it is `heightPx` wide. Orientation 6 turns it clockwise. */
export const makeSidewaysJpeg = async (widthPx: number, heightPx: number) =>
  (await makeHalves(widthPx, heightPx)).jpeg().withMetadata({ orientation: 6 }).toBuffer();

/** A JPEG whose metadata contains a location and an author. */
export const makeJpegWithMetadata = async () =>
  (await makeHalves(400, 300))
    .jpeg()
    .withExif({
      IFD0: { Artist: 'Private Person', Make: 'Camera' },
      IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">somewhere secret</x:xmpmeta>')
    .toBuffer();

export const makeCmykJpeg = async () => (await makeHalves(400, 300)).toColourspace('cmyk').jpeg().toBuffer();
export const makeDeepPng = async () => (await makeHalves(400, 300)).toColourspace('rgb16').png().toBuffer();
export const makeGreyscaleJpeg = async () => (await makeHalves(400, 300)).greyscale().jpeg().toBuffer();

/** A PNG of which nothing can be seen. */
export const makeTransparentPng = () =>
  sharp({ create: { width: 400, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toBuffer();

/** A GIF or WebP of two frames. */
export const makeAnimation = async (format: 'gif' | 'webp') => {
  const frames = await Promise.all([makePng(400, 300), makeJpeg(400, 300)]);
  return sharp(frames, { join: { animated: true } })
    [format]({ delay: [100, 100] })
    .toBuffer();
};

/** A PNG of a few kilobytes that unpacks to 64 million pixels and some. */
export const makeBomb = () =>
  sharp(Buffer.alloc(8_001 * 8_001), {
    raw: { width: 8_001, height: 8_001, channels: 1 },
    limitInputPixels: false,
  })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer();

/** A JPEG with data sets of IPTC's Application Record 2, each by its number. */
export function addIptc(jpeg: Buffer, sets: readonly (readonly [number: number, value: string])[]): Buffer {
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
