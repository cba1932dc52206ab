/** Finds the credits that licences ask for and pages lack, of the service's images that pages and their style sheets show. */

import { dirname, join, relative } from 'node:path';
import { fetchRecordAt } from '../fetch-records';
import { cssUrls } from '../pages/css-urls';
import { keptRow } from '../pages/fill-html';
import { isHtml } from '../pages/fill-text';
import { asData, creditOf } from '../pages/foreign-texts';
import { imagePlaces } from '../pages/image-places';
import type { Finding } from '../pages/lint-html';
import { attribute, lineCounter, readPage } from '../pages/read-page';
import { keyFor } from './environment';

/** A file that was read, by its path. */
export interface ReadFile {
  readonly file: string;
  readonly text: string;
}

interface ShownImage {
  readonly file: string;
  readonly line: number;
  readonly url: string;
}

const withSingleSpaces = (text: string) => text.replace(/\s+/g, ' ');

/**
 * Asks the service for the credit of each of its images once, whatever its sizes.
 * @param base root of the service
 * @throws `PageTooLarge`
 */
export async function missingCredits(
  files: readonly ReadFile[],
  base: string,
): Promise<readonly (Finding & { readonly file: string })[]> {
  const isOurs = ({ url }: { readonly url: string }) =>
    /^api\/image(?:[/?]|$)/.test(
      url.replace(/^https?:/, '').split(`${base.replace(/^https?:/, '')}/`)[1] ?? '',
    );
  const sheets = new Map(
    files
      .filter(({ file }) => /\.css$/i.test(file))
      .map(({ file, text }) => {
        const lineAt = lineCounter(text);
        const images = cssUrls(text).map(({ url, start }) => ({ file, line: lineAt(start), url }));
        return [file, images.filter(isOurs)] as const;
      }),
  );
  const unlinked = new Set(sheets.keys());
  const pages = files
    .filter(({ file }) => isHtml(file))
    .map(({ file, text }) => {
      const page = readPage(text);
      const lineAt = lineCounter(text);
      const linked = page.elements
        .filter(
          (element) =>
            element.tagName === 'link' && /(?:^|\s)stylesheet/i.test(attribute(element, 'rel') ?? ''),
        )
        .flatMap((element) => sheetAt(attribute(element, 'href') ?? '', file, sheets) ?? []);
      for (const sheet of linked) unlinked.delete(sheet);
      const own = imagePlaces(page, false)
        .filter(({ verdict }) => !('keep' in verdict && verdict.keep === 'code'))
        .flatMap(({ offset, urls }) => urls.map((url) => ({ file, line: lineAt(offset), url })));
      const images = [...own.filter(isOurs), ...linked.flatMap((sheet) => sheets.get(sheet) ?? [])];
      return { images, text: withSingleSpaces(page.text) };
    });
  // Which page they are for is not known.
  const others = [...unlinked].flatMap((sheet) => sheets.get(sheet) ?? []);
  pages.push({ images: others, text: pages.map(({ text }) => text).join('\n') });

  const credits = new Map<string, Promise<readonly string[] | Error>>();
  const creditsOf = (url: string) => {
    const key = url.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1');
    const asked = credits.get(key) ?? fetchRecordAt(url, keyFor(url)).then(namesIn, (error: Error) => error);
    credits.set(key, asked);
    return asked;
  };
  const findings: (Finding & { readonly file: string })[] = [];
  for (const { images, text } of pages) {
    const said = new Set<string>();
    for (const image of images) {
      const names = await creditsOf(new URL(image.url, base).href);
      const [name] = names instanceof Error ? [] : names;
      if (names instanceof Error)
        findings.push(findingOf(image, `Its credit is not known: ${names.message}`));
      else if (name !== undefined && !said.has(name) && !names.some((each) => text.includes(each)))
        findings.push(
          findingOf(image, `The page does not show the credit that the licence asks for: ${name}`),
        );
      if (name !== undefined) said.add(name);
    }
  }
  return findings;
}

/** The ways in which a page may say the credit of an image; none where it needs none. */
function namesIn(record: Parameters<typeof creditOf>[0]): readonly string[] {
  const credit = creditOf(record);
  return credit
    ? [credit.text, withSingleSpaces(record.attribution.creditLine), asData(record.attribution.creditLine)]
    : [];
}

/** The style sheet that a page links to, of those that are read: a path from the root is one from any folder above the page. */
function sheetAt(href: string, page: string, sheets: ReadonlyMap<string, unknown>): string | undefined {
  const path = href.split(/[?#]/)[0] ?? '';
  if (/^(?:[a-z]+:|\/\/)/i.test(path)) return undefined;
  const folders = [dirname(page)];
  while (path.startsWith('/') && !/^(?:\.|\/)$/.test(folders.at(-1) ?? '.'))
    folders.push(dirname(folders.at(-1) ?? '.'));
  return folders.map((folder) => relative('.', join(folder, path))).find((file) => sheets.has(file));
}

const findingOf = (
  { file, line, url }: ShownImage,
  message: string,
): Finding & { readonly file: string } => ({
  file,
  ...keptRow(line, url, 'owner'),
  rule: 'missing-credit',
  message,
});
