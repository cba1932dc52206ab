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
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...element) {
      count += 1;
      if (count > pageLimits.elements) throw new PageTooLarge('at most 50,000 elements');
      work.step(1 + element[2].length);
      return defaultTreeAdapter.createElement(...element);
    },
    onItemPush() {
      depth += 1;
      if (depth > pageLimits.depth)
        throw new PageTooLarge(`at most ${pageLimits.depth} elements within one another`);
    },
    onItemPop() {
      depth -= 1;
    },
  };
  // Without scripts, the content of <noscript> is read as elements too.
  const options = { sourceCodeLocationInfo: true, scriptingEnabled: false, treeAdapter };
  return { html, work, ...standingsIn(parse<DefaultTreeAdapterMap>(html, options), work) };
}

/** Elements whose text goes on in the same line. */
const inline =
  /^(?:a|abbr|b|cite|code|em|font|i|ins|kbd|label|mark|q|s|samp|small|strong|sub|sup|time|u|var|wbr)$/;
const withoutText = /^(?:script|style|svg|noscript|template)$/;
const codeTag = /^(?:code|pre|template|samp|kbd)$/;

function standingsIn(root: Node, work: Work): Pick<Page, 'elements' | 'standing' | 'text'> {
  const standing = new Map<Element, Standing>();
  let text = '';
  const visit = (node: Node, around: Pick<Standing, 'isCode' | 'isHidden'>, isRead: boolean) => {
    work.step();
    if (node.nodeName === '#text') {
      const { value } = node as DefaultTreeAdapterTypes.TextNode;
      work.step(value.length >> 4);
      if (isRead) text += value.replace(/\s+/g, ' ');
      return;
    }
    const element = 'tagName' in node ? node : undefined;
    const end = element && !inline.test(element.tagName) ? '\n' : '';
    text += end;
    const own = element && {
      order: standing.size,
      last: standing.size,
      textStart: text.length,
      textEnd: text.length,
      isCode: around.isCode || codeTag.test(element.tagName),
      isHidden: around.isHidden || isHidden(element),
    };
    if (element && own) standing.set(element, own);
    const children = [
      ...('content' in node ? node.content.childNodes : []),
      ...('childNodes' in node ? node.childNodes : []),
    ];
    for (const child of children)
      visit(child, own ?? around, isRead && !(element && withoutText.test(element.tagName)));
    if (own) Object.assign(own, { last: standing.size - 1, textEnd: text.length });
    text += end;
  };
  visit(root, { isCode: false, isHidden: false }, true);
  const elements = [...standing.keys()].filter(({ sourceCodeLocation }) => sourceCodeLocation);
  return { elements, standing, text };
}

const isHidden = (element: Element): boolean =>
  element.attrs.some(
    ({ name, value }) =>
      name === 'hidden' ||
      (name === 'style' && /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(value)) ||
      (name === 'class' && /(?:^|\s)(?:hidden|is-hidden|d-none|invisible)(?:\s|$)/.test(value)),
  );

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
  const isOf = (each: Element['attrs'][number]) =>
    (each.prefix ? `${each.prefix}:${each.name}` : each.name) === name;
  return element.attrs.find(isOf)?.value;
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

/** The lines of the text below an element, as far as they begin within its first 1,000 characters. */
export function linesIn({ text, standing, work }: Page, element: Element): readonly string[] {
  const { textStart = 0, textEnd = 0 } = standing.get(element) ?? {};
  const lines = text.slice(textStart, Math.min(textEnd, textStart + 1_000)).split('\n');
  work.step(lines.length);
  return lines.map((line) => line.replace(/ +/g, ' ').trim()).filter(Boolean);
}

/** The text below an element with single spaces, at most its first 1,000 characters. */
export const textOf = (page: Page, element: Element): string => linesIn(page, element).join(' ');

/** The line of a position in a text, from 1. */
export function lineCounter(text: string): (offset: number) => number {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
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
