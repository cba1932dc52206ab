/** Finds what is wrong with the images of a page, without changing it. */

import { attribute, descendants, type PageDocument, textOf } from './document';
import { creditAttribute, creditsIn } from './fill-html';
import type { ImagePlace } from './image-places';
import { replaceableUrl, stockId } from './replaceable-url';
import { readPage } from './words';

/** What is wrong with an image. */
export interface Finding {
  readonly rule:
    | 'invented-url'
    | 'dead-url'
    | 'hotlink'
    | 'missing-alt'
    | 'missing-dimensions'
    | 'two-meanings'
    | 'stretched'
    | 'missing-credit'
    | 'expired-url';
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** What lint may look at beside the page. */
export interface LintOptions {
  /** Whether a URL shows an image; without it no URL is loaded. */
  readonly loads?: (url: string) => Promise<boolean>;
  /** Milliseconds since the epoch, for URLs that end. */
  readonly nowMs: number;
}

/** Hosts whose terms forbid that pages of others show their files. */
const noHotlinks =
  /^(?:https?:)?\/\/(?:[\w-]{1,63}\.){0,9}(?:pixabay\.com|freepik\.com|shutterstock\.com|istockphoto\.com|gettyimages\.[a-z.]+|alamy\.com|dreamstime\.com|pinimg\.com)\//i;

/** In the order of the page. */
export async function lintHtml(html: string, { loads, nowMs }: LintOptions): Promise<readonly Finding[]> {
  const page = readPage(html);
  if (!page) return [];
  const { places, contradicted } = page;
  const meanings = new Map<string, Set<string>>();
  for (const { kind, url, element } of places)
    if (kind === 'img' && /^(?!data:)./.test(url))
      meanings.set(url, (meanings.get(url) ?? new Set()).add(attribute(element, 'alt') ?? ''));
  const findings: Finding[] = [];
  for (const place of places) {
    const { element, url } = place;
    const add = (rule: Finding['rule'], message: string) =>
      findings.push({ rule, line: element.sourceCodeLocation?.startLine ?? 1, message });
    if (attribute(element, 'data-image-keep') !== undefined) continue;
    const judged = replaceableUrl(url)?.reason;
    const id = stockId(url)?.id;
    const shown = url.length > 80 ? `${url.slice(0, 79)}…` : url;
    if (judged === 'invented' || (id !== undefined && contradicted.has(id)))
      add('invented-url', `${shown} is no photo of what the page says.`);
    else if (judged && !(place.kind === 'poster' && url === ''))
      add(
        'dead-url',
        judged === 'missing'
          ? 'The image has no URL.'
          : `${shown} is a placeholder or a service that is gone.`,
      );
    else if (loads && /^https?:/.test(url) && !(await loads(url))) add('dead-url', `${shown} does not load.`);
    if (noHotlinks.test(url)) add('hotlink', `${shown}: its provider forbids that pages link to its files.`);
    const expires = Number(/[?&]expires=(\d+)/.exec(url)?.[1]);
    if (expires * 1_000 < nowMs)
      add('expired-url', `${shown} ended on ${new Date(expires * 1_000).toISOString()}.`);
    if (place.kind === 'img') {
      for (const [rule, message] of imageFindings(place)) add(rule, message);
      const alts = meanings.get(url) ?? new Set();
      if (alts.size > 1)
        add('two-meanings', `${shown} stands for ${[...alts].map((alt) => `“${alt}”`).join(' and ')}.`);
    }
  }
  return [...findings, ...missingCredits(page)].sort((a, b) => a.line - b.line);
}

function* imageFindings({ element, url }: ImagePlace): Generator<readonly [Finding['rule'], string]> {
  const said = (name: string) => attribute(element, name);
  const style = said('style') ?? '';
  const classes = said('class') ?? '';
  if (said('alt') === undefined)
    yield ['missing-alt', 'The image has no alt text; an empty one says that it is decoration.'];
  const [width, height] = [Number(said('width')), Number(said('height'))];
  const isSized =
    (width > 0 && height > 0) ||
    /aspect-ratio|(?:^|[;\s])height\s*:\s*\d/.test(style) ||
    /(?:^|\s)(?:aspect-|size-\d|h-(?:\d|\[|full|screen))/.test(classes);
  if (!isSized)
    yield ['missing-dimensions', 'The image has no width and height, so the page shifts when it loads.'];
  const [w, h] = [/[?&]width=(\d+)/, /[?&]height=(\d+)/].map((name) => Number(name.exec(url)?.[1]));
  const isCropped = /object-fit|object-(?:cover|contain)/.test(`${style} ${classes}`);
  if (
    width &&
    height &&
    w &&
    h &&
    !isCropped &&
    Math.abs((width * h) / (height * w) - 1) > 0.05 &&
    // A rounded side explains a pixel.
    Math.abs((width * h) / w - height) > 1
  )
    yield ['stretched', `The image is ${w} × ${h} pixels and is shown as ${width} × ${height}.`];
}

/** Credit lines that filled images ask for and the page does not show. */
function missingCredits({ elements }: PageDocument): Finding[] {
  const due = elements.flatMap((element) =>
    creditsIn(attribute(element, creditAttribute)).map((text) => ({ element, text })),
  );
  const shown = elements
    .filter((each) => attribute(each, 'data-image-credits') !== undefined)
    .flatMap((each) => [each, ...descendants(each)])
    .map(textOf);
  const captions = elements.filter(({ tagName }) => tagName === 'figcaption').map(textOf);
  const all = [...shown, ...captions];
  return due
    .filter(({ text }) => !all.some((each) => each.includes(text)))
    .map(({ element, text }) => ({
      rule: 'missing-credit',
      line: element.sourceCodeLocation?.startLine ?? 1,
      message: `The page does not show the credit that the licence asks for: ${text}`,
    }));
}
