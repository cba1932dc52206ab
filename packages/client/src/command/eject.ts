/** The command `eject`. It copies a site with its images as files, so that the site needs no service. */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join, posix, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchRecordAt, ImageProblem, runInFours } from '../fetch-records';
import { applyEdits, createLineFinder, type Edit } from '../pages/edits';
import { findLeftReason, makeKeptRow } from '../pages/fill';
import { PageTooLarge } from '../pages/page-limits';
import { escapeLike } from '../pages/text-urls';
import type { Attribution, ImageRecord, ReportRow } from '../service';
import { chooseApiKey, type FileRow, flagOption, readBase, textOption, UsageError } from './inputs';
import { findServiceUrls, type ServiceUrl } from './service-urls';

/** `path` is below the root of the site. It is a URL if the image stays a link to its provider. */
type EjectedImage = Pick<ImageRecord, 'width' | 'height' | 'attribution'> & { readonly path: string };

/** Copies a site so that it needs no service. @returns the exit code: 1 if a URL of the service is left */
export async function eject(args: readonly string[]): Promise<number> {
  const { folder, out, base, json, ...options } = readOptions(args);
  const files = listSiteFiles(folder, out);
  const texts = readSiteTexts(files, folder, base);
  const site = options.site ?? texts.find(({ file }) => file === 'index.html')?.root;
  const replaceable = texts.flatMap(({ urls }) => urls).filter(({ replacement }) => replacement !== 'none');
  const imageUrls = replaceable.flatMap(({ resolved }) => resolved ?? []);
  const images = await runInFours(imageUrls, (url) => downloadImage(url, out).catch((error: Error) => error));
  for (const file of files) fs.cpSync(join(folder, file), join(out, file), { dereference: true });
  const rows = texts.flatMap((text) => writeWithPaths({ ...text, root: text.root ?? site }, images, out));
  const ejectedImages = [...images.values()].flatMap((image) => ('path' in image ? image : []));
  writeCreditFiles(ejectedImages, out);
  const report = json ? JSON.stringify(rows, null, 2) : writeReport(rows, files.length, ejectedImages, out);
  process.stdout.write(`${report}\n`);
  return rows.some(isLeft) ? 1 : 0;
}

function readOptions(args: readonly string[]) {
  const options = { out: textOption, site: textOption, json: flagOption };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const { out = 'dist', site, json } = values;
  const [folder] = positionals;
  if (!folder || positionals.length > 1)
    throw new UsageError('Name the folder of the site: eject site --out dist.');
  if (!fs.existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`);
  if (site !== undefined && !(URL.canParse(site) && /^https?:/.test(site)))
    throw new UsageError('--site takes the URL of the site: https://www.example.com/.');
  const base = readBase();
  if (isWithin(out, folder)) throw new UsageError('--out must not hold the site.');
  return { folder, out, base, json, site: site?.replace(/\/?$/, '/') };
}

const isWithin = (folder: string, path: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(resolve(folder) + sep);

/** Lists the files of a site. Leaves out git, packages, secrets and the target folder. Follows links to folders. */
function listSiteFiles(folder: string, out: string, path = '', parents: readonly string[] = []): string[] {
  const real = fs.realpathSync(join(folder, path));
  // A link to a folder around it would never end.
  if (isWithin(out, join(folder, path)) || parents.some((parent) => isWithin(real, parent))) return [];
  const names = fs.readdirSync(real).filter((name) => fs.existsSync(join(real, name)));
  const copiedNames = names.filter((name) => !/^(?:\.git|node_modules|\.env(?:rc|\..*)?)$/.test(name));
  const files = copiedNames.flatMap((name) => {
    const file = posix.join(path, name);
    const isFolder = fs.statSync(join(real, name)).isDirectory();
    return isFolder ? listSiteFiles(folder, out, file, [...parents, real]) : file;
  });
  return files.sort();
}

/** Reads the files with URLs of the service. `root` is the site of a page by its canonical URL. */
function readSiteTexts(files: readonly string[], folder: string, base: string) {
  return files.flatMap((file) => {
    const content = fs.readFileSync(join(folder, file), 'latin1');
    if (!content.includes(new URL(base).host) && file !== 'index.html') return [];
    try {
      const { urls, canonical } = findServiceUrls(content, file, base);
      return [{ file, content, urls, root: findSiteRoot(canonical, file) }];
    } catch (error) {
      // In a page that is too large, the URLs stay and are listed.
      if (!(error instanceof PageTooLarge)) throw error;
      return [{ file, content, urls: findServiceUrls(content, '', base).urls, root: undefined }];
    }
  });
}

type SiteText = ReturnType<typeof readSiteTexts>[number];
type EjectedImages = ReadonlyMap<string, EjectedImage | Error>;

/** Writes a file with paths of images in place of URLs of the service. @returns a row for each URL */
function writeWithPaths(siteText: SiteText, images: EjectedImages, out: string): FileRow[] {
  const { file, content } = siteText;
  const findLine = createLineFinder(content);
  const edits: Edit[] = [];
  const rows = siteText.urls.map((url): FileRow => {
    const { start, end, written, resolved = 'http://none', fragment, isMarkup } = url;
    const { searchParams, pathname } = new URL(resolved);
    const words = /\/api\/image\/\d+x\d+-(.*)$/.exec(pathname)?.[1]?.replace(/[-_+/ ]+/g, ' ');
    const query = searchParams.get('query') ?? searchParams.get('q') ?? words ?? null;
    const pick = searchParams.get('pick');
    const row = { ...makeKeptRow(findLine(start), written, 'unknown'), query, pick };
    const outcome = decideOutcome(url, images.get(resolved), siteText);
    if (outcome.src) edits.push({ start, end, text: escapeLike(written, outcome.src + fragment, isMarkup) });
    return { file, ...row, ...outcome };
  });
  if (edits.length > 0) fs.writeFileSync(join(out, file), applyEdits(content, edits), 'latin1');
  return rows;
}

/** Finds the root of the site by the canonical URL of a page. */
function findSiteRoot(canonical: string, file: string): string | undefined {
  if (!URL.canParse(canonical) || !/^https?:/.test(canonical)) return undefined;
  const url = new URL(canonical);
  // The URL of a page may lack `index.html`, or `.html`.
  const ending = /(?:\bindex)?(?:\.html?)?$/;
  const [path = '', page = ''] = [url.pathname, file].map((name) => name.replace(ending, ''));
  return new URL(path.endsWith(`/${page}`) ? path.slice(0, path.length - page.length) : '/', url).href;
}

/** Downloads an image. An image of Unsplash stays a link, because its terms ask for that. */
async function downloadImage(url: string, out: string): Promise<EjectedImage> {
  const { url: target, width, height, attribution, fallback } = await fetchRecordAt(url, chooseApiKey(url));
  if (fallback) throw new Error(`The image is ${fallback}.`);
  if (attribution.license.id === 'unsplash') return { path: target, width, height, attribution };
  const response = await fetch(target, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = /^image\/(\w+)/.exec(response.headers.get('content-type') ?? '')?.[1] ?? 'jpeg';
  const path = `images/${createHash('sha256').update(bytes).digest('hex').slice(0, 20)}.${type.replace('jpeg', 'jpg')}`;
  fs.mkdirSync(join(out, 'images'), { recursive: true });
  fs.writeFileSync(join(out, path), bytes);
  return { path, width, height, attribution };
}

/** Decides what becomes of a URL. Returns the fields of its row that differ from those of a URL that stays. */
function decideOutcome(
  { replacement }: ServiceUrl,
  image: EjectedImage | Error | undefined,
  { file, root }: SiteText,
): Partial<ReportRow> {
  if (replacement === 'none') return { reason: 'code', note: 'Nothing can be put in its place here.' };
  if (!image) return { reason: 'template', note: 'It names no image as it stands.' };
  if (!('path' in image)) {
    const reason = image instanceof ImageProblem ? findLeftReason(image.code) : undefined;
    return { ...(reason && { outcome: 'left', reason }), note: `It does not load: ${image.message}` };
  }
  const { path, width, height } = image;
  if (URL.canParse(path)) return { width, height, reason: 'link', src: path };
  if (replacement === 'absolute' && !root)
    return { width, height, note: 'The site is not known: name it with --site.' };
  const src = {
    relative: posix.join(posix.relative(posix.dirname(file), '.') || '.', path),
    rooted: `${root ? new URL(root).pathname : '/'}${path}`,
    absolute: `${root}${path}`,
  }[replacement];
  return { width, height, outcome: 'filled', reason: 'asked', src };
}

/** Returns true for a URL of the service that is left. A link to Unsplash is not: its terms demand it. */
const isLeft = ({ outcome, reason }: FileRow) =>
  outcome === 'left' || (outcome === 'kept' && reason !== 'link');

function writeReport(rows: readonly FileRow[], files: number, images: readonly EjectedImage[], out: string) {
  const paths = [...new Set(images.map(({ path }) => path))].sort();
  const links = paths.filter((path) => URL.canParse(path));
  const writeList = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)] : [];
  const leftLines = rows
    .filter(isLeft)
    .map(({ file, line, was, note }) => `${file}:${line}  ${was}  ${note}`);
  return [
    `${files} files, ${paths.length - links.length} images written to ${out}.`,
    ...writeList('Images of Unsplash stay links to Unsplash, as its terms require', links),
    ...writeList('URLs of the service are left', leftLines),
  ].join('\n');
}

function writeCreditFiles(images: readonly EjectedImage[], out: string): void {
  const credits = new Map<string, Attribution & { readonly images: string[] }>();
  for (const { path, attribution } of images.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const key = attribution.landingUrl ?? attribution.creditLine;
    const credit = credits.get(key) ?? { ...attribution, images: [] };
    if (!credit.images.includes(path)) credit.images.push(path);
    credits.set(key, credit);
  }
  const sortedCredits = [...credits.values()].sort((a, b) => (a.creditLine < b.creditLine ? -1 : 1));
  const escapeMarkdown = (name: string) => name.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
  const lines = sortedCredits.map(({ creditLine, landingUrl, license, images: paths }) => {
    const line = landingUrl ? `[${escapeMarkdown(creditLine)}](${landingUrl})` : escapeMarkdown(creditLine);
    return `- ${line}${license.url ? ` ([${escapeMarkdown(license.name)}](${license.url}))` : ''}: ${paths.join(', ')}`;
  });
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(join(out, 'credits.json'), `${JSON.stringify(sortedCredits, null, 2)}\n`);
  fs.writeFileSync(join(out, 'CREDITS.md'), ['# Image credits\n', ...lines, ''].join('\n'));
}
