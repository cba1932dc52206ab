/** Reads a photograph from a file: what it shows by its IPTC and XMP, and whether it can be delivered. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import ExifReader from 'exifreader';
import sharp from 'sharp';
import { extensionOf } from '../../lambda/images/library-path';
import type { NewPhoto } from '../../lambda/stock/library/manage-photos';
import { photoTextMax } from '../../lambda/stock/library/photo';

/** What a row of `library.csv` says of a photograph; an empty cell says nothing. */
export interface PhotoRow {
  readonly title?: string;
  readonly description?: string;
  /** Separated by `;`. */
  readonly keywords?: string;
  readonly creator?: string;
  readonly copyright?: string;
  readonly license?: string;
  readonly landingUrl?: string;
}

/** Shortest side of a photograph, in pixels. */
const sideMinPx = 100;

/** @returns the photograph, or why it is refused, in one sentence for people */
export async function readPhoto(path: string, file: string, row: PhotoRow = {}): Promise<NewPhoto | string> {
  const bytes = await readFile(path);
  const image = await decoded(bytes);
  if (typeof image === 'string') return image;
  const { tags, ...measured } = image;
  const described = { ...wordsOf(tags), ...wordsOfRow(row) };
  const { title, description, keywords = [], copyright, license } = described;
  if (title === undefined && description === undefined && keywords.length === 0)
    return 'It has no title, description or keywords, so no search would find it.';
  if (copyright === undefined && license === undefined)
    return 'It states no rights: it needs a copyright notice or a licence, in the file or in library.csv.';
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...described, ...measured, file, keywords, bytes, sha256 };
}

interface Decoded {
  readonly mediaType: string;
  /** Upright, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly tags: ExifReader.ExpandedTags;
}

/** What an image is and says, once it has been decoded to its end, or why it is refused. */
async function decoded(bytes: Buffer): Promise<Decoded | string> {
  try {
    const { format, compression, autoOrient } = await sharp(bytes).metadata();
    const { width, height } = autoOrient;
    const mediaType = `image/${format === 'heif' && compression === 'av1' ? 'avif' : format}`;
    if (extensionOf(mediaType) === undefined)
      return `It is ${mediaType}; JPEG, PNG, WebP and AVIF are taken.`;
    if (Math.min(width, height) < sideMinPx)
      return `It is ${width} × ${height} pixels; each side needs at least ${sideMinPx}.`;
    // A small JPEG carries the metadata of every kind in the one form that is read.
    const small = sharp(bytes, { failOn: 'truncated' }).resize(16, 16).keepMetadata().jpeg();
    return { mediaType, width, height, tags: await tagsOf(await small.toBuffer()) };
  } catch {
    return 'It cannot be decoded as an image to its end.';
  }
}

/** Everything that can be read; a damaged block of metadata counts as none. */
async function tagsOf(jpeg: Buffer): Promise<ExifReader.ExpandedTags> {
  try {
    return ExifReader.load(jpeg, { expanded: true });
  } catch {
    return {};
  }
}

type Described = Partial<
  Pick<NewPhoto, 'title' | 'description' | 'creator' | 'copyright' | 'license' | 'landingUrl'>
> & {
  readonly keywords?: readonly string[] & string[];
};

type Block = Readonly<Record<string, unknown>>;

/** XMP before IPTC, which the same programs write for older readers. */
function wordsOf(tags: ExifReader.ExpandedTags): Described {
  const [xmp, iptc] = [tags.xmp, tags.iptc].map(
    (block) => (block ?? {}) as Readonly<Record<string, unknown>>,
  ) as [Block, Block];
  const one = (dublinCore: string, dataset: string) =>
    textsOf(xmp[dublinCore])[0] ?? textsOf(iptc[dataset])[0];
  const keywords = textsOf(xmp['subject']);
  return clean({
    title: one('title', 'Object Name'),
    description: one('description', 'Caption/Abstract'),
    creator: one('creator', 'By-line'),
    copyright: one('rights', 'Copyright Notice'),
    keywords: keywords.length > 0 ? keywords : textsOf(iptc['Keywords']),
  });
}

function wordsOfRow({ keywords, landingUrl, ...row }: PhotoRow): Described {
  const isWeb = landingUrl !== undefined && /^https?:\/\//i.test(landingUrl) && URL.canParse(landingUrl);
  return clean({
    ...row,
    keywords: keywords?.split(';') ?? [],
    landingUrl: isWeb ? landingUrl : undefined,
  });
}

/** The texts of a tag: of alternatives by language the default comes first. */
function textsOf(tag: unknown): readonly string[] {
  if (Array.isArray(tag)) return tag.flatMap(textsOf);
  if (typeof tag !== 'object' || tag === null) return [];
  const { value, description } = tag as { readonly value?: unknown; readonly description?: unknown };
  const items = Array.isArray(value) ? value.filter((each) => typeof each === 'object') : [];
  if (items.length > 0) return items.flatMap(textsOf);
  return typeof description === 'string' ? [description] : [];
}

/** Without control characters, cut to what is kept; what is empty is left out. */
function clean(given: Readonly<Record<string, string | readonly string[] | undefined>>): Described {
  const text = (value: string, most: number) =>
    [
      ...value
        .toWellFormed()
        .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
        .trim(),
    ]
      .slice(0, most)
      .join('');
  const most = {
    ...photoTextMax,
    creator: photoTextMax.rights,
    copyright: photoTextMax.rights,
    license: photoTextMax.rights,
    landingUrl: 2_000,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, string | string[]][] => {
      if (value === undefined) return [];
      if (typeof value === 'string') {
        const kept = text(value, most[name as keyof typeof most]);
        return kept === '' ? [] : [[name, kept]];
      }
      const kept = [...new Set(value.map((each) => text(each, most.keyword)))].filter((each) => each !== '');
      return kept.length === 0 ? [] : [[name, kept.slice(0, most.keywords)]];
    }),
  );
}
