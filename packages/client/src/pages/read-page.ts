/** A page as browsers read it, with the positions of its elements in the source; in time that is linear in its length. */

import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { PageTooLarge, pageLimits, Work } from './page-work';

/** An element of the page as parse5 has read it. */
export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** What is known of an element beside its attributes. */
interface Standing {
  /** Place in the order of the tree, and the last one below it. */
  readonly order: number;
  last: number;
  /** Where its text begins and ends in the text of the page. */
  readonly textStart: number;
  textEnd: number;
  /** Whether it is shown as code, or is the content of a template. */
  readonly isCode: boolean;
  /** Whether it, or what holds it, is hidden. */
  readonly isHidden: boolean;
}

/** A page and what stands in it. */
export interface Page {
  readonly html: string;
  /** The elements that stand in the source, in the order of the tree. */
  readonly elements: readonly Element[];
  readonly standing: ReadonlyMap<Element, Standing>;
  /** All texts that are no scripts and styles, with a line break between blocks. */
  readonly text: string;
  readonly work: Work;
}

/** @throws `PageTooLarge` */
export function readPage(html: string, work = new Work()): Page {
  let [depth, count] = [0, 0];
  const bounded = (value: number, max: number, what: string) => {
    if (value > max) throw new PageTooLarge(`at most ${max.toLocaleString('en')} ${what}`);
  };
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...element) {
      count += 1;
      bounded(count, pageLimits.elements, 'elements');
      work.step(1 + element[2].length);
      return defaultTreeAdapter.createElement(...element);
    },
    onItemPush() {
      depth += 1;
      bounded(depth, pageLimits.depth, 'elements within one another');
    },
    onItemPop() {
      depth -= 1;
    },
  };
  const document = parse<DefaultTreeAdapterMap>(html, {
    sourceCodeLocationInfo: true,
    // The content of <noscript> is read as elements too.
    scriptingEnabled: false,
    treeAdapter,
  });
  return { html, work, ...standingsIn(document, work) };
}

/** Elements whose text goes on in the same line. */
const inline =
  /^(?:a|abbr|b|cite|code|em|font|i|ins|kbd|label|mark|q|s|samp|small|strong|sub|sup|time|u|var|wbr)$/;
const withoutText = /^(?:script|style|svg|noscript|template)$/;

function standingsIn(root: Node, work: Work): Pick<Page, 'elements' | 'standing' | 'text'> {
  const standing = new Map<Element, Standing>();
  const chunks: string[] = [];
  let length = 0;
  const write = (text: string) => {
    chunks.push(text);
    length += text.length;
  };
  const visit = (
    node: Node,
    { isCode, isHidden }: Pick<Standing, 'isCode' | 'isHidden'>,
    isRead: boolean,
  ) => {
    work.step();
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterTypes.TextNode;
      work.step(value.length >> 4);
      if (isRead) write(value.replace(/\s+/g, ' '));
      return;
    }
    const element = 'tagName' in node ? node : undefined;
    const isBlock = element !== undefined && !inline.test(element.tagName);
    if (isBlock) write('\n');
    const own = element && {
      order: standing.size,
      last: standing.size,
      textStart: length,
      textEnd: length,
      isCode: isCode || /^(?:code|pre|template|samp|kbd)$/.test(element.tagName),
      isHidden: isHidden || hides(element),
    };
    if (element && own) standing.set(element, own);
    const below = own ?? { isCode, isHidden };
    const isText = isRead && !(element && withoutText.test(element.tagName));
    if ('content' in node) for (const child of node.content.childNodes) visit(child, below, isText);
    if ('childNodes' in node) for (const child of node.childNodes) visit(child, below, isText);
    if (own) {
      own.last = standing.size - 1;
      own.textEnd = length;
    }
    if (isBlock) write('\n');
  };
  visit(root, { isCode: false, isHidden: false }, true);
  const elements = [...standing.keys()].filter(({ sourceCodeLocation }) => sourceCodeLocation);
  return { elements, standing, text: chunks.join('') };
}

function hides(element: Element): boolean {
  return element.attrs.some(
    ({ name, value }) =>
      name === 'hidden' ||
      (name === 'style' && /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(value)) ||
      (name === 'class' && /(?:^|\s)(?:hidden|is-hidden|d-none|invisible)(?:\s|$)/.test(value)),
  );
}

/** Where an element begins in the source. */
export const startOf = (element: Element): number => element.sourceCodeLocation?.startOffset ?? 0;

/** What is found out about an element, once: many images ask about what stands around them. */
export function onceFor<T>(find: (element: Element) => T): (element: Element) => T {
  const known = new WeakMap<Element, { readonly value: T }>();
  return (element) => {
    const found = known.get(element) ?? { value: find(element) };
    known.set(element, found);
    return found.value;
  };
}

/** The decoded value of an attribute, empty for one without a value; `xlink:href` by its prefix. */
export function attribute(element: Element, name: string): string | undefined {
  // An element may have thousands of others.
  if (element.sourceCodeLocation?.attrs?.[name] === undefined) return undefined;
  const [prefix, local] = name.includes(':') ? name.split(':') : [undefined, name];
  return element.attrs.find((each) => each.name === local && (each.prefix || undefined) === prefix)?.value;
}

/** The element around another one. */
export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent && 'tagName' in parent ? parent : undefined;
}

/** An element and those around it, from the inside. @param max how many at most */
export function around(element: Element, max: number = pageLimits.depth): Element[] {
  const elements: Element[] = [];
  for (let each: Element | undefined = element; each && elements.length < max; each = parentOf(each))
    elements.push(each);
  return elements;
}

/** The class and the id of an element. */
export const namesOf = (element: Element): string =>
  `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`;

const linesOf = new WeakMap<Element, readonly string[]>();

/** The lines of the text below an element, as far as they begin within its first 1,000 characters. */
export function linesIn({ text, standing, work }: Page, element: Element): readonly string[] {
  const known = linesOf.get(element);
  if (known) return known;
  const { textStart = 0, textEnd = 0 } = standing.get(element) ?? {};
  const end = Math.min(textEnd, textStart + 1_000);
  work.step((end - textStart) >> 4);
  const lines = text
    .slice(textStart, end)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
  linesOf.set(element, lines);
  return lines;
}

/** The text below an element with single spaces, at most its first 1,000 characters. */
export const textOf = (page: Page, element: Element): string => linesIn(page, element).join(' ');

/** The line of a position in a text, from 1, for positions that are asked in rising order or not. */
export function lineCounter(text: string): (offset: number) => number {
  const breaks: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks.push(at);
  return (offset) => 1 + firstFrom(breaks, offset);
}

/** Index of the first number of a sorted list that is not below another. */
export function firstFrom(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
