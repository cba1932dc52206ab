/** A page as browsers read it, with the positions of its elements; in time that is linear in its length. */

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { PageTooLarge, pageLimits } from './page-limits';

/** An element of the page as parse5 has read it. */
export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A page and what stands in it. */
export interface HtmlPage {
  readonly html: string;
  readonly root: Node;
  /** The elements that stand in the source, in its order. */
  readonly elements: readonly Element[];
  /** Whether it is to stay well-formed XML. */
  readonly isXml: boolean;
  /** Whether nothing but ASCII is safe in it, since it does not say that it is UTF-8. */
  readonly isAscii: boolean;
}

const xhtml = /^\ufeff?\s*<\?xml\s|<!DOCTYPE[^>]*\bXHTML\b|<html\b[^>]*\sxmlns=/i;

/** Parses a page. @param isOver whether the time is over, now and then asked @throws `PageTooLarge` */
export function readPage(html: string, isOver = () => false): HtmlPage {
  const created: Element[] = [];
  const root = parse(html, {
    sourceCodeLocationInfo: true,
    // The content of <noscript> is read as elements too.
    scriptingEnabled: false,
    treeAdapter: boundedAdapter(created, isOver),
  });
  const elements = firstByStart(created);
  const isAscii = !elements.some(saysUtf8) && !html.startsWith('\ufeff');
  return { html, root, elements, isXml: xhtml.test(html.slice(0, 1_000)), isAscii };
}

/** Lists each element that is created, within the bounds of a page. */
function boundedAdapter(created: Element[], isOver: () => boolean): typeof defaultTreeAdapter {
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(...element) {
      const count = created.push(defaultTreeAdapter.createElement(...element));
      if (count > pageLimits.elements) throw new PageTooLarge('at most 50,000 elements');
      if (count % 1_000 === 0 && isOver())
        throw new PageTooLarge('what can be read within the time of a request');
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

/** The first element at each position of the source: a browser repeats some that are never closed. */
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

/** Finds out something about each element once: many images ask about what stands around them. */
export function onceFor<T, Key extends object = Element>(read: (key: Key) => T): (key: Key) => T {
  const known = new WeakMap<Key, T>();
  return (key) => {
    if (!known.has(key)) known.set(key, read(key));
    return known.get(key) as T;
  };
}

const valuesOf = onceFor(
  ({ attrs }) =>
    new Map(attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value])),
);

/** The decoded value of an attribute, empty for one without a value; `xlink:href` by its prefix. */
export const rawAttr = (element: Element, name: string): string | undefined =>
  // A browser gives the first of repeated elements the attributes of the others.
  element.sourceCodeLocation?.attrs?.[name] && valuesOf(element).get(name);

/** The value of an attribute without space around it; empty where there is none. */
export const attr = (element: Element, name: string) => rawAttr(element, name)?.trim() ?? '';

/** An element and those around it, from the inside. @param max how many at most */
export function around(element: Element, max: number = pageLimits.depth): Element[] {
  const elements: Element[] = [];
  let node: Node | null = element;
  while (node && 'tagName' in node && elements.length < max) {
    elements.push(node);
    node = node.parentNode;
  }
  return elements;
}

/** Finds the first child of a tag, once for each element. */
export const childOf = (tag: string): ((parent: Element) => Element | undefined) =>
  onceFor((parent) => parent.childNodes.find((child): child is Element => child.nodeName === tag));
const imageIn = childOf('img');

/** The image of a picture to which an element belongs. */
export function imageOf(source: Element): Element | undefined {
  const [, parent] = around(source, 2);
  return parent?.tagName === 'picture' ? imageIn(parent) : undefined;
}

/** The class and the id of an element, as one text. */
export const namesOf = (element: Element) => `${attr(element, 'class')} ${attr(element, 'id')}`;

/** Elements whose text goes on in the same line. */
const inline =
  /^(?:a|abbr|b|cite|code|em|font|i|ins|kbd|label|mark|q|s|samp|small|strong|sub|sup|time|u|var|wbr)$/;
const withoutText = /^(?:script|style|svg|noscript|template|#comment)$/;

/** The lines of the text below a node, up to so many characters and nodes. */
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

/** The lines of the first 1,000 characters below an element, in its first 500 nodes. */
export const linesIn: (element: Element) => readonly string[] = onceFor((element) =>
  linesBelow(element, 1_000, 500),
);

/** The text below an element with single spaces, at most its first 1,000 characters. */
export const textOf = (element: Element): string => linesIn(element).join(' ');
