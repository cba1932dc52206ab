/** Reads the photographs of a folder, with what `library.csv` in it says of them. */

import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { NewPhoto } from '../../lambda/stock/library/manage-photos';
import { failed, wrongUsage } from '../failure';
import { type PhotoRow, photoColumns, readPhoto } from './read-photo';

/** The file beside the photographs that says what they show and whose they are; its filled cells win over the files. */
const tableName = 'library.csv';

/** A file or row that is not added, and why. */
export interface RefusedFile {
  readonly file: string;
  readonly reason: string;
}

/** Kinds of images by their extension; other files are no photographs and are passed over. */
const imageExtension = /^\.(jpe?g|png|webp|avif|gif|tiff?|heic|heif|bmp|jxl)$/i;

/**
 * @param refused gets what is not added
 * @throws `Failure` where there is no such folder, or its `library.csv` cannot be read
 */
export async function* readFolder(folder: string, refused: RefusedFile[]): AsyncGenerator<NewPhoto> {
  const root = await realpath(folder).catch(() => '');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => {
    throw wrongUsage(`There is no folder ${folder}.`);
  });
  // Links to files are among them, so that they are named; links to folders are not followed.
  const files = entries
    .filter((entry) => !entry.isDirectory() && imageExtension.test(extname(entry.name)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const rows = await rowsOf(root);
  for (const file of rows.keys())
    if (!files.includes(file))
      refused.push({ file, reason: `${tableName} names it, and it is not in the folder.` });
  for (const file of files) {
    const path = join(root, file);
    const isLink = (await realpath(path)) !== path;
    const photo = isLink
      ? 'It is a link; the photographs themselves are taken.'
      : await readPhoto(path, file, rows.get(file));
    if (typeof photo === 'string') refused.push({ file, reason: photo });
    else yield photo;
  }
}

/** The rows of `library.csv` by file. */
async function rowsOf(root: string): Promise<ReadonlyMap<string, PhotoRow>> {
  const path = join(root, tableName);
  if (!existsSync(path)) return new Map();
  const text = await readFile(path);
  let rows: readonly Readonly<Record<string, string>>[];
  try {
    rows = parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw failed(`${tableName} is no table of comma-separated values: ${(error as Error).message}`);
  }
  const columns: readonly string[] = ['file', ...photoColumns];
  const unknown = Object.keys(rows[0] ?? {}).find((name) => !columns.includes(name));
  if (unknown !== undefined)
    throw failed(`${tableName} has a column "${unknown}"; it takes ${columns.join(', ')}.`);
  return new Map(rows.map(({ file = '', ...cells }) => [file.replace(/^\.\//, ''), cells]));
}
