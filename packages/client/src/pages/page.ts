/** Reads a page as browsers do, with the positions of its elements, in time that is linear in its length. */

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { PageTooLarge, pageLimits } from './page-limits';

/** An element as parse5 reads it. */
export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A page and its elements. */
export interface HtmlPage {
  readonly html: string;
  readonly root: Node;
  /** The elements that stand in the source, in its order. */
  readonly elements: readonly Element[];
  readonly isXml: boolean;
  /** Whether nothing but ASCII may be written into it, since it does not say that it is UTF-8. */
  readonly isAscii: boolean;
}

const xhtml = /^\ufeff?\s*<\?xml\s|<!DOCTYPE[^>]*\bXHTML\b|<html\b[^>]*\sxmlns=/i;

/** Parses a page. @throws `PageTooLarge` */
export function readPage(html: string): HtmlPage {
  const created: Element[] = [];
  const root = parse(html, {
    sourceCodeLocationInfo: true,
    // The content of <noscript> is read as elements too.
    scriptingEnabled: false,
    treeAdapter: boundedAdapter(created),
  });
  const elements = firstByStart(created);
  const isAscii = !elements.some(saysUtf8) && !html.startsWith('\ufeff');
  return { html, root, elements, isXml: xhtml.test(html.slice(0, 1_000)), isAscii };
}

/** Makes an adapter that lists each created element, and throws at the bounds of a page. */
function boundedAdapter(created: Element[]): typeof defaultTreeAdapter {
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(...element) {
      const count = created.push(defaultTreeAdapter.createElement(...element));
      if (count > pageLimits.elements) throw new PageTooLarge('at most 50,000 elements');
      return created[count - 1] as Element;
    },
    onItemPush() {
      depth += 1;
      if (depth > pageLimits.depth)
        throw new PageTooLarge(`at most ${pageLimits.depth} elements within one another`);
    },
    onItemPop() {
      depth -= 1;
    },
    // parse5 would put the content of a template apart; here it is below it, as with other elements.
    setTemplateContent() {},
    getTemplateContent: (template) => template as unknown as DefaultTreeAdapterTypes.DocumentFragment,
  };
}

/** Drops the repetitions of elements: a browser repeats some that are never closed. */
function firstByStart(created: readonly Element[]): readonly Element[] {
  const byStart = new Map<number, Element>();
  for (const element of created)
    if (element.sourceCodeLocation && !byStart.has(startOf(element))) byStart.set(startOf(element), element);
  return [...byStart.values()];
}

const saysUtf8 = (element: Element): boolean =>
  element.tagName === 'meta' &&
  /^utf-?8$|charset\s*=\s*utf-?8(?![\w-])/i.test(attr(element, 'charset') || attr(element, 'content'));

/** Returns where an element begins in the source. */
export const startOf = (element: Element): number => element.sourceCodeLocation?.startOffset ?? 0;

/** Reads something of each element only once: many images ask about the elements around them. */
export function memoize<T, Key extends object = Element>(read: (key: Key) => T): (key: Key) => T {
  const results = new WeakMap<Key, T>();
  return (key) => {
    if (!results.has(key)) results.set(key, read(key));
    return results.get(key) as T;
  };
}

/** Returns the decoded value of an attribute, empty for one without a value. @param name with its prefix */
export function rawAttr({ attrs, sourceCodeLocation }: Element, name: string): string | undefined {
  // A browser gives the first of repeated elements the attributes of the others.
  if (!sourceCodeLocation?.attrs?.[name]) return undefined;
  return attrs.find((each) => (each.prefix ? `${each.prefix}:${each.name}` : each.name) === name)?.value;
}

/** Returns the value of an attribute without space around it; empty where there is none. */
export const attr = (element: Element, name: string) => rawAttr(element, name)?.trim() ?? '';

/** Lists an element and those around it, from the inside. @param max how many at most */
export function pathUp(element: Element, max: number = pageLimits.depth): Element[] {
  const elements: Element[] = [];
  let node: Node | null = element;
  while (node && 'tagName' in node && elements.length < max) {
    elements.push(node);
    node = node.parentNode;
  }
  return elements;
}

/** Makes a function that finds the first child of a tag. */
export const childOf = (tag: string): ((parent: Element) => Element | undefined) =>
  memoize((parent) => parent.childNodes.find((child): child is Element => child.nodeName === tag));
const imageIn = childOf('img');

/** Finds the `<img>` of the picture to which an element belongs. */
export function imageOf(source: Element): Element | undefined {
  const [, parent] = pathUp(source, 2);
  return parent?.tagName === 'picture' ? imageIn(parent) : undefined;
}

/** Joins the class and the id of an element. */
export const namesOf = (element: Element) => `${attr(element, 'class')} ${attr(element, 'id')}`;

const inline =
  /^(?:a|abbr|b|cite|code|em|font|i|ins|kbd|label|mark|q|s|samp|small|strong|sub|sup|time|u|var|wbr)$/;
const withoutText = /^(?:script|style|svg|noscript|template|#comment)$/;

/** Reads the lines of the text below a node, up to so many characters and nodes. */
export function linesBelow(root: Node, charactersMax = Infinity, nodesMax = Infinity): string[] {
  let [text, nodes] = ['', 0];
  const read = (node: Node): void => {
    nodes += 1;
    if (node.nodeName === '#text')
      text += (node as DefaultTreeAdapterTypes.TextNode).value.slice(0, charactersMax).replace(/\s+/g, ' ');
    if (!('childNodes' in node) || withoutText.test(node.nodeName)) return;
    const end = inline.test(node.nodeName) ? '' : '\n';
    text += end;
    for (const child of node.childNodes) {
      if (text.length > charactersMax || nodes > nodesMax) return;
      read(child);
    }
    text += end;
  };
  read(root);
  const lines = text.slice(0, charactersMax).split('\n');
  return lines.map((line) => line.replace(/ +/g, ' ').trim()).filter(Boolean);
}

/** Reads the first lines below an element, once for the many images that stand in it. */
export const linesIn: (element: Element) => readonly string[] = memoize((element) =>
  linesBelow(element, 1_000, 500),
);

/** Reads the beginning of the text below an element, as one line. */
export const textOf = (element: Element): string => linesIn(element).join(' ');
