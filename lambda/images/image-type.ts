/** Detects the type of an image from its first bytes, because a name or a header may be wrong. */

/** The kinds that the service takes from others. SVG, TIFF and PDF are left out: their readers do far too much. */
const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;
/** One of the media types. */
export type ImageType = (typeof imageTypes)[number];

/** The kind of an image, or `undefined` when it is none of `imageTypes`. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  // `avis` is a sequence of frames; it is left out like other moving images.
  if (text(4, 12) === 'ftypavif') return 'image/avif';
  if (/^GIF8[79]a$/.test(text(0, 6))) return 'image/gif';
  return undefined;
}
