/** `rights`: lists the images of pages and their credits; exit code 1 where a page lacks a credit that is due. */

import { parseArgs } from 'node:util';
import { fetchRecordAt } from '../fetch-records';
import {
  attribute,
  type Element,
  type PageDocument,
  readDocument,
  textOf,
  textWithin,
} from '../pages/document';
import { creditAttribute, creditsIn } from '../pages/fill-html';
import { imagePlaces } from '../pages/image-places';
import { baseIfAny, keyFor, UsageError } from './environment';
import { textsAt } from './files';
import { table } from './report';

/** @returns the exit code @throws `UsageError` without a folder */
export async function rights(args: readonly string[]): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  if (positionals.length === 0) throw new UsageError('Name the folder of the site: rights site.');
  const rows: string[][] = [];
  const missing: string[] = [];
  const requested = new Map<string, Promise<readonly string[]>>();
  for (const { file, text } of textsAt(positionals, /\.html?$/)) {
    const page = readDocument(text);
    if (!page) throw new Error(`${file} is nested too deeply to be read.`);
    const said = page.elements.map(textOf);
    // Text may stand in a body that has no tag.
    said.push(textWithin(page.root, Number.POSITIVE_INFINITY));
    for (const { element, source } of imagesOf(page)) {
      const url = urlOf(source);
      if (url === undefined) continue;
      const where = `${file}:${element.sourceCodeLocation?.startLine ?? 1}`;
      const creditsOf = requested.get(url) ?? dueCredits(element, url);
      requested.set(url, creditsOf);
      const credits = await creditsOf.catch((error: Error) => error);
      if (credits instanceof Error)
        missing.push(`${where}  ${url}  Its credit is not known: ${credits.message}`);
      else {
        rows.push([where, url, credits.length === 0 ? 'no credit is due' : credits.join('; ')]);
        for (const credit of credits.filter((each) => !said.some((text) => text.includes(plain(each)))))
          missing.push(`${where}  ${url}  The page lacks the credit that is due: ${credit}`);
      }
    }
  }
  process.stdout.write(
    rows.length === 0 ? 'No images of the service.\n' : `${table(['Where', 'Image', 'Credit'], rows)}\n`,
  );
  for (const line of missing) process.stdout.write(`${line}\n`);
  return missing.length === 0 ? 0 : 1;
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Where the images of a page come from: of `<img>` and `<source>`, of previews, videos, drawings and backgrounds. */
function imagesOf(page: PageDocument): { readonly element: Element; readonly source: string }[] {
  const shown = page.elements
    .filter(({ tagName }) => tagName === 'img' || tagName === 'source')
    .map((element) => ({
      element,
      source: attribute(element, 'src') ?? attribute(element, 'srcset')?.trim().split(/[\s,]/)[0] ?? '',
    }));
  const others = imagePlaces(page).filter(({ kind }) => kind !== 'img' && kind !== 'source');
  return [...shown, ...others.map(({ element, url: source }) => ({ element, source }))];
}

/** The URL of an image of the service, absolute; of any service where none is named. */
function urlOf(source: string): string | undefined {
  const base = baseIfAny();
  const url = URL.canParse(source, base) ? new URL(source, base) : undefined;
  if (!url || !/\/api\/image(?:\/|$)/.test(url.pathname)) return undefined;
  return base === undefined || url.href.startsWith(`${base}/api/image`) ? url.href : undefined;
}

/** The credits that must be shown with an image: as the page itself says, where it was filled; otherwise as the service does. */
async function dueCredits(element: Element, url: string): Promise<readonly string[]> {
  const noted = attribute(element, creditAttribute);
  if (noted !== undefined) return creditsIn(noted);
  if (attribute(element, 'data-image-filled') !== undefined) return [];
  // The key is for the service that is named beside it.
  const { html, attribution } = await fetchRecordAt(url, baseIfAny() === undefined ? {} : keyFor(url));
  // Markup has the credit where it is due.
  return html === null || html.includes('<figcaption>') ? [attribution.creditLine] : [];
}
