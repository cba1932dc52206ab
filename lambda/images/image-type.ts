/** Detects the type of an image by its first bytes, because a name or a header may be wrong. */

/** Detects a media type. It is `undefined` also for SVG, TIFF and PDF, because their readers are not safe. */
export function detectImageType(bytes: Uint8Array): string | undefined {
  const readText = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (readText(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (readText(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (readText(0, 4) === 'RIFF' && readText(8, 12) === 'WEBP') return 'image/webp';
  // `avis` would be a sequence of frames, not a still image.
  if (readText(4, 12) === 'ftypavif') return 'image/avif';
  if (/^GIF8[79]a$/.test(readText(0, 6))) return 'image/gif';
  return undefined;
}
