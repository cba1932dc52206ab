/** Reads the photographs of a folder, with their words and rights from `library.csv`, XMP or IPTC. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { parse } from 'csv-parse/sync';
import ExifReader from 'exifreader';
import sharp from 'sharp';
import { parseUrl } from '../../lambda/base/parse';
import { findExtension } from '../../lambda/images/stored-path';
import {
  addPhotos,
  type NewPhoto,
  type PhotoServices,
  photoTextMax,
} from '../../lambda/stock/library/manage-photos';
import { cleanText } from '../../lambda/stock/providers/wire/fields';
import { createGeneralFailure, createUsageFailure } from '../failure';

/** The table beside the photographs. Its words and rights win over metadata in the files. */
const tableName = 'library.csv';
/** Columns of the table after `file`. */
const columns = [
  'title',
  'description',
  'keywords',
  'creator',
  'copyright',
  'license',
  'landingUrl',
] as const;

/** A file or a row of the table that is not added, with the reason. */
export interface RefusedFile {
  readonly file: string;
  readonly reason: string;
}

const imageExtension = /^\.(jpe?g|png|webp|avif|gif|tiff?|heic|heif|bmp|jxl)$/i;

/**
 * Adds the photographs below a folder to the library.
 * @returns the number of new and of known photographs, and the files and rows that are refused
 * @throws as `addPhotos`, and `Failure` if there is no such folder or its `library.csv` cannot be read
 */
export async function addFolder(services: PhotoServices, folder: string) {
  const refused: RefusedFile[] = [];
  return { ...(await addPhotos(services, readFolder(folder, refused))), refused };
}

/** Reads the photographs below a folder. @param refused receives the files and rows that cannot be added */
export async function* readFolder(folder: string, refused: RefusedFile[]): AsyncGenerator<NewPhoto> {
  const root = await realpath(folder).catch(() => '');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => {
    throw createUsageFailure(`There is no folder ${folder}.`);
  });
  // Links to files are listed, so that each is refused by name. Links to folders are not followed.
  const files = entries
    .filter((entry) => !entry.isDirectory() && imageExtension.test(extname(entry.name)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const rows = await readLibraryTable(root);
  for (const file of rows.keys())
    if (!files.includes(file))
      refused.push({ file, reason: `${tableName} names it, and it is not in the folder.` });
  for (const file of files) {
    const path = join(root, file);
    const isLink = (await realpath(path)) !== path;
    const photo = isLink
      ? { file, reason: 'It is a link; the photographs themselves are taken.' }
      : await readPhoto(path, file, rows.get(file));
    if ('reason' in photo) refused.push(photo);
    else yield photo;
  }
}

async function readLibraryTable(root: string): Promise<ReadonlyMap<string, PhotoRow>> {
  const path = join(root, tableName);
  if (!existsSync(path)) return new Map();
  const text = await readFile(path);
  let rows: readonly Readonly<Record<string, string>>[];
  try {
    rows = parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw createGeneralFailure(
      `${tableName} is no table of comma-separated values: ${(error as Error).message}`,
    );
  }
  const knownNames: readonly string[] = ['file', ...columns];
  const unknown = Object.keys(rows[0] ?? {}).find((name) => !knownNames.includes(name));
  if (unknown !== undefined)
    throw createGeneralFailure(`${tableName} has a column "${unknown}"; it takes ${knownNames.join(', ')}.`);
  return new Map(rows.map(({ file = '', ...cells }) => [file.replace(/^\.\//, ''), cells]));
}

/** A row of the table. An empty cell counts as absent. Keywords are separated by `;`. */
export type PhotoRow = Readonly<Partial<Record<(typeof columns)[number], string>>>;

const sideMinPx = 100;

/** Reads a photograph, or returns why it is refused. */
export async function readPhoto(
  path: string,
  file: string,
  row: PhotoRow = {},
): Promise<NewPhoto | RefusedFile> {
  const bytes = await readFile(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const image = await decode(bytes).catch(() => undefined);
  if (!image) return { file, reason: 'It cannot be decoded as an image to its end.' };
  const { tags, xmp, ...properties } = image;
  const description = readDescription(tags ?? {}, row);
  const reason = findRefusalReason(properties, description);
  if (reason !== undefined) return { file, reason };
  // XMP that is cut off has no tags, so its text is searched for a location.
  const isLocated = !tags || tags.gps !== undefined || /GPS/.test(`${Object.keys({ ...tags.exif })} ${xmp}`);
  const stored = isLocated ? await removeMetadata(bytes, properties.mediaType) : bytes;
  return { ...description, ...properties, file, bytes: stored, sha256 };
}

function findRefusalReason(
  { mediaType, width, height }: Pick<NewPhoto, 'mediaType' | 'width' | 'height'>,
  { title, description, keywords, copyright, license }: ReturnType<typeof readDescription>,
): string | undefined {
  if (findExtension(mediaType) === undefined)
    return `It is ${mediaType}; JPEG, PNG, WebP and AVIF are taken.`;
  if (Math.min(width, height) < sideMinPx)
    return `It is ${width} × ${height} pixels; each side needs at least ${sideMinPx}.`;
  if (title === undefined && description === undefined && keywords.length === 0)
    return 'It has no title, description or keywords, so no search would find it.';
  if (copyright === undefined && license === undefined)
    return 'It states no rights: it needs a copyright notice or a licence, in the file or in library.csv.';
  return undefined;
}

/** Encodes an image again without metadata, because a location may stand in several places of a block. */
async function removeMetadata(bytes: Buffer, mediaType: string): Promise<Buffer> {
  const image = sharp(bytes).autoOrient().keepIccProfile();
  if (mediaType === 'image/png') return image.png().toBuffer();
  return image.toFormat(mediaType.slice('image/'.length) as 'jpeg', { quality: 95 }).toBuffer();
}

/** Reads media type, upright size in pixels, and metadata. Throws if the image cannot be decoded. */
async function decode(bytes: Buffer) {
  const { format, compression, autoOrient, xmp } = await sharp(bytes).metadata();
  const mediaType = `image/${format === 'heif' && compression === 'av1' ? 'avif' : format}`;
  // A small JPEG has the metadata of every type of file in one form.
  const small = sharp(bytes, { failOn: 'truncated' }).resize(16, 16).keepMetadata().jpeg();
  const tags = ExifReader.load(await small.toBuffer(), { expanded: true, async: true });
  // A damaged block of metadata counts as unknown.
  return { mediaType, ...autoOrient, tags: await tags.catch(() => undefined), xmp: String(xmp) };
}

/** Reads words and rights from the row, else from XMP, else from IPTC, which older programs read. */
function readDescription({ xmp, iptc }: ExifReader.ExpandedTags, row: PhotoRow) {
  const listTexts = (cell: string | undefined, dublinCore: string, dataset: string) => {
    if (cell) return [cell];
    const xmpTexts = listTagTexts({ ...xmp }[dublinCore]);
    return xmpTexts.length > 0 ? xmpTexts : listTagTexts({ ...iptc }[dataset]);
  };
  const max = photoTextMax;
  const page = parseUrl(row.landingUrl ?? '');
  const texts = {
    title: cutText(listTexts(row.title, 'title', 'Object Name')[0], max.title),
    description: cutText(listTexts(row.description, 'description', 'Caption/Abstract')[0], max.description),
    creator: cutText(listTexts(row.creator, 'creator', 'By-line')[0], max.rights),
    copyright: cutText(listTexts(row.copyright, 'rights', 'Copyright Notice')[0], max.rights),
    license: cutText(row.license, max.rights),
    landingUrl: /^https?:$/.test(page?.protocol ?? '') ? cutText(row.landingUrl, 2_000) : '',
  };
  const words = row.keywords ? row.keywords.split(';') : listTexts('', 'subject', 'Keywords');
  const keywords = new Set(words.map((word) => cutText(word, max.keyword)).filter((word) => word !== ''));
  const entries = Object.entries(texts).filter(([, text]) => text !== '');
  return {
    ...(Object.fromEntries(entries) as Partial<typeof texts>),
    keywords: [...keywords].slice(0, max.keywords),
  };
}

/** Lists the texts of a tag. Of several languages the default comes first. */
function listTagTexts(tag: unknown): readonly string[] {
  if (Array.isArray(tag)) return tag.flatMap(listTagTexts);
  if (typeof tag !== 'object' || tag === null) return [];
  const { value, description } = tag as { readonly value?: unknown; readonly description?: unknown };
  const items = Array.isArray(value) ? value.filter((item) => typeof item === 'object') : [];
  if (items.length > 0) return items.flatMap(listTagTexts);
  return typeof description === 'string' ? [description] : [];
}

const cutText = (text: string | undefined, charactersMax: number): string =>
  [...(cleanText(text) ?? '')].slice(0, charactersMax).join('');
