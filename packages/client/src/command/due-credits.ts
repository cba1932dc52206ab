/** Finds the credits that licences ask for and pages lack, of the service's images that pages and their style sheets show. */

import { basename } from 'node:path';
import { fetchRecordAt } from '../fetch-records';
import { cssUrls } from '../pages/css-urls';
import { keptRow } from '../pages/fill-html';
import { isHtml } from '../pages/fill-text';
import { asData, creditOf } from '../pages/foreign-texts';
import { imagePlaces } from '../pages/image-places';
import type { Finding } from '../pages/lint-html';
import { lineCounter, readPage, textBelow } from '../pages/read-page';
import { keyFor } from './environment';

/** A file that was read, by its path. */
export interface ReadFile {
  readonly file: string;
  readonly text: string;
}

/** What is wrong with an image of a file. */
export type FileFinding = Finding & { readonly file: string };

interface ShownImage extends ReadFile {
  readonly offset: number;
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
): Promise<readonly FileFinding[]> {
  const root = `${base.replace(/^https?:/, '')}/`;
  const isOurs = ({ url }: ShownImage) => {
    const [host, path = ''] = url.replace(/^https?:/, '').split(root);
    return host === '' && /^api\/image(?:[/?]|$)/.test(path);
  };
  const sheets = files
    .filter(({ file }) => /\.css$/i.test(file))
    .map((sheet) => ({
      sheet,
      images: cssUrls(sheet.text).map(({ url, start }) => ({ ...sheet, offset: start, url })),
    }));
  const pages = files
    .filter(({ file }) => isHtml(file))
    .map((read) => {
      const page = readPage(read.text);
      const own = imagePlaces(page, false)
        .filter(({ verdict }) => !('keep' in verdict && verdict.keep === 'code'))
        .flatMap(({ offset, urls }) => urls.map((url) => ({ ...read, offset, url })));
      // A sheet is part of the pages that name its file.
      const linked = sheets.filter(({ sheet }) => read.text.includes(basename(sheet.file)));
      return { linked, images: [...own, ...linked.flatMap(({ images }) => images)], text: textBelow(page) };
    });
  // Which page the others are for is not known.
  const others = sheets.filter((sheet) => !pages.some(({ linked }) => linked.includes(sheet)));
  const shown = {
    images: others.flatMap(({ images }) => images),
    text: pages.map(({ text }) => text).join('\n'),
  };

  const credits = new Map<string, Promise<readonly string[] | Error>>();
  const creditsOf = (url: string) => {
    const key = url.replace(/([?&](?:amp;)?)(?:width|height)=\d+/g, '$1');
    const asked = credits.get(key) ?? fetchRecordAt(url, keyFor(url)).then(namesIn, (error: Error) => error);
    credits.set(key, asked);
    return asked;
  };
  const findings: FileFinding[] = [];
  for (const { images, text } of [...pages, shown]) {
    const page = withSingleSpaces(text);
    const said = new Set<string>();
    for (const image of images.filter(isOurs)) {
      const names = await creditsOf(new URL(image.url, base).href);
      const isUnknown = names instanceof Error;
      const [name = ''] = isUnknown ? [names.message] : names;
      const isDue =
        isUnknown || (name !== '' && !said.has(name) && !names.some((each) => page.includes(each)));
      const about = isUnknown
        ? 'Its credit is not known'
        : 'The page lacks the credit that the licence asks for';
      if (isDue) findings.push(findingOf(image, `${about}: ${name}`));
      said.add(name);
    }
  }
  return findings;
}

/** The ways in which a page may say the credit of an image; none where it needs none. */
function namesIn(record: Parameters<typeof creditOf>[0]): readonly string[] {
  const credit = creditOf(record);
  const { creditLine } = record.attribution;
  return credit ? [credit.text, withSingleSpaces(creditLine), asData(creditLine)] : [];
}

const findingOf = ({ file, text, offset, url }: ShownImage, message: string): FileFinding => ({
  file,
  ...keptRow(lineCounter(text)(offset), url, 'owner'),
  rule: 'missing-credit',
  message,
});
