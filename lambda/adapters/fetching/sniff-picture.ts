/** Recognises a picture by its first bytes, whatever its server calls it. */

/** Bytes that are enough to recognise every kind. */
const sniffedBytes = 16;

/** The media type of a kind of picture that the service works with, or `undefined`; SVG is a document and is none. */
export function sniffPicture(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, sniffedBytes)).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'image/tiff';
  if (/^.{4}ftypavi[fs]/s.test(text)) return 'image/avif';
  return undefined;
}
