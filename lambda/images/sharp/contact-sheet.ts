/** Draws a contact sheet: images whole and centred on grey cells, each with its number. */

import sharp from 'sharp';

/** Side of a cell, in pixels. */
const cellPx = 320;
const columnsMax = 4;
const grey = '#808080';

/** Digits as strokes in a box of 4 × 6 units: no font is installed where functions run. */
const strokes: readonly string[] = [
  'M2 0Q4 0 4 3T2 6T0 3T2 0',
  'M1 1.5 2.5 0V6M1 6H4',
  'M0 1Q0 0 2 0T4 1.5Q4 3 0 6H4',
  'M0 0H4L2 2.5Q4 2.5 4 4.2T2 6Q0 6 0 5',
  'M3 6V0L0 4H4',
  'M4 0H.5L0 3H2Q4 3 4 4.5T2 6Q0 6 0 5',
  'M4 0Q0 1 0 4Q0 6 2 6T4 4.3Q4 2.7 2 2.7T0 4.3',
  'M0 0H4L1.5 6',
  'M2 3Q0 3 0 1.5T2 0Q4 0 4 1.5T2 3Q0 3 0 4.5T2 6Q4 6 4 4.5T2 3',
  'M4 2Q4 3.3 2 3.3T0 1.7T2 0T4 2Q4 5 0 6',
];

/** The number of an image, at most 99, in a dark box of at most 64 × 48 pixels. */
function labelOf(number: number): Buffer {
  const digits = [...String(number)].map(
    (digit, index) => `<path transform="translate(${index * 5.2})" d="${strokes[Number(digit)]}"/>`,
  );
  const width = digits.length > 1 ? 64 : 48;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="48"><rect width="${width}" height="48" fill="#111"/>` +
      `<g transform="translate(${digits.length > 1 ? 9 : 14} 9) scale(5)" fill="none" stroke="#fff" stroke-width=".9" stroke-linecap="round" stroke-linejoin="round">${digits.join('')}</g></svg>`,
  );
}

const opened = (bytes: Uint8Array, limitInputPixels: number) =>
  sharp(bytes, { limitInputPixels, failOn: 'error', autoOrient: true });

/** @param images at least one @throws when one of them cannot be read */
export async function contactSheetOf(images: readonly Uint8Array[], pixelsMax: number): Promise<Uint8Array> {
  const columns = Math.min(images.length, columnsMax);
  const rows = Math.ceil(images.length / columnsMax);
  const cells = await Promise.all(
    images.map(async (bytes, index) => {
      const left = (index % columnsMax) * cellPx;
      const top = Math.floor(index / columnsMax) * cellPx;
      const input = await opened(bytes, pixelsMax)
        .resize(cellPx, cellPx, { fit: 'contain', background: grey })
        .flatten({ background: grey })
        .removeAlpha()
        .png({ compressionLevel: 0 })
        .toBuffer();
      return [
        { input, left, top },
        { input: labelOf(index + 1), left, top },
      ];
    }),
  );
  return sharp({
    create: { width: columns * cellPx, height: rows * cellPx, channels: 3, background: grey },
  })
    .composite(cells.flat())
    .jpeg({ quality: 80 })
    .toBuffer();
}
