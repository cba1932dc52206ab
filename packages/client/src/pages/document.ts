/** A page as browsers read it, with the positions of its elements in the source. */

import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

/** An element of the page as parse5 has read it. */
export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Deeper or larger pages take a parser of HTML quadratic time; browsers end nesting at the same depth. */
const depthMax = 512;
const elementsMax = 100_000;

const tooComplex = new Error('The page is too complex');

/** A page and what stands in it. */
export interface PageDocument {
  readonly html: string;
  /** The elements that stand in the source, in its order. */
  readonly elements: readonly Element[];
  /** What holds all of them, and the elements without a tag that browsers add. */
  readonly root: Node;
}

/** @returns `undefined` for a page that is nested too deeply */
export function readDocument(html: string): PageDocument | undefined {
  let depth = 0;
  let count = 0;
  const bounded = (isWithin: boolean) => {
    if (!isWithin) throw tooComplex;
  };
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...element) {
      count += 1;
      bounded(count <= elementsMax);
      return defaultTreeAdapter.createElement(...element);
    },
    onItemPush() {
      depth += 1;
      bounded(depth <= depthMax);
    },
    onItemPop() {
      depth -= 1;
    },
  };
  try {
    const document = parse<DefaultTreeAdapterMap>(html, { sourceCodeLocationInfo: true, treeAdapter });
    const elements = descendants(document).filter((element) => element.sourceCodeLocation);
    return { html, elements: elements.sort((a, b) => startOf(a) - startOf(b)), root: document };
  } catch (error) {
    if (error === tooComplex) return undefined;
    throw error;
  }
}

/** Where an element begins in the source. */
export const startOf = (element: Element): number => element.sourceCodeLocation?.startOffset ?? 0;

/** All elements below a node, in the order of the tree. */
export function descendants(node: Node): Element[] {
  const elements: Element[] = [];
  const open: Node[] = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if ('tagName' in next && next !== node) elements.push(next);
    if ('content' in next) open.push(next.content);
    if ('childNodes' in next)
      for (let i = next.childNodes.length - 1; i >= 0; i -= 1) open.push(next.childNodes[i] as Node);
  }
  return elements;
}

/** The decoded value of an attribute, empty for one without a value; `xlink:href` by its prefix. */
export function attribute(element: Element, name: string): string | undefined {
  const [prefix, local] = name.includes(':') ? name.split(':') : [undefined, name];
  return element.attrs.find((each) => each.name === local && (each.prefix || undefined) === prefix)?.value;
}

/** The element around another one. */
export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  return parent && 'tagName' in parent ? parent : undefined;
}

/** An element and those around it, from the inside. @param max how many at most */
export function around(element: Element, max = depthMax): Element[] {
  const elements: Element[] = [];
  for (let each: Element | undefined = element; each && elements.length < max; each = parentOf(each))
    elements.push(each);
  return elements;
}

/** Classes and id of an element and of those around it, from the inside. @param max how many at most */
export const namesAround = (element: Element, max: number): string[] =>
  around(element, max).map((each) => `${attribute(each, 'class') ?? ''} ${attribute(each, 'id') ?? ''}`);

/** The text below an element, with single spaces, as far as it begins within its first 2,000 characters. */
export const textOf = (element: Element): string => textWithin(element, 2_000);

/** The text below a node, with single spaces, as far as it begins within so many characters. */
function textWithin(node: Node, charactersMax: number): string {
  let text = '';
  const open: Node[] = [node];
  for (let next = open.pop(); next && text.length < charactersMax; next = open.pop()) {
    if (next.nodeName === '#text') text += ` ${(next as DefaultTreeAdapterTypes.TextNode).value}`;
    else if ('childNodes' in next && !/^(?:script|style|svg)$/.test(next.nodeName))
      open.push(...next.childNodes.toReversed());
  }
  return text.replace(/\s+/g, ' ').trim();
}
