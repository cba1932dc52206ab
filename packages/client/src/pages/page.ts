/** Reads a page as browsers do, with the positions of its elements. The time grows linearly with its length. */

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { PageTooLarge, pageLimits } from './page-limits';

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

export interface HtmlPage {
  readonly html: string;
  readonly root: Node;
  /** The elements that stand in the source, in its order. Browsers add others, such as `<body>`. */
  readonly elements: readonly Element[];
  readonly isXml: boolean;
  /** True if the page ends within a comment, a tag, or an element such as a script. */
  readonly isOpen: boolean;
  /** True if only ASCII may be written into the page, because it does not say that it is UTF-8. */
  readonly isAscii: boolean;
}

const xhtml = /^\ufeff?\s*<\?xml\s|<!DOCTYPE[^>]*\bXHTML\b|<html\b[^>]*\sxmlns=/i;

/** Parses a page. @throws `PageTooLarge` */
export function parsePage(html: string): HtmlPage {
  const createdElements: Element[] = [];
  let isOpen = false;
  const root = parse(html, {
    sourceCodeLocationInfo: true,
    // So the content of `<noscript>` is read as elements too.
    scriptingEnabled: false,
    treeAdapter: createBoundedAdapter(createdElements),
    onParseError: ({ code }) => {
      isOpen ||= code.startsWith('eof-in-');
    },
  });
  const elements = keepFirstByStart(createdElements);
  const isAscii = !elements.some(declaresUtf8) && !html.startsWith('\ufeff');
  return { html, root, elements, isXml: xhtml.test(html.slice(0, 1_000)), isOpen, isAscii };
}

/** Creates an adapter for parse5 that adds each element to `created` and throws at the bounds of a page. */
function createBoundedAdapter(created: Element[]): typeof defaultTreeAdapter {
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(...element) {
      const count = created.push(defaultTreeAdapter.createElement(...element));
      if (count > pageLimits.elements) throw new PageTooLarge('elements');
      return created[count - 1] as Element;
    },
    onItemPush() {
      depth += 1;
      if (depth > pageLimits.depth) throw new PageTooLarge('depth', 'elements within one another');
    },
    onItemPop() {
      depth -= 1;
    },
    // parse5 keeps the content of a template apart. Here it stands below the template, as in other elements.
    setTemplateContent() {},
    getTemplateContent: (template) => template as unknown as DefaultTreeAdapterTypes.DocumentFragment,
  };
}

function keepFirstByStart(created: readonly Element[]): readonly Element[] {
  const byStart = new Map<number, Element>();
  for (const element of created)
    if (element.sourceCodeLocation && !byStart.has(getOffset(element)))
      byStart.set(getOffset(element), element);
  return [...byStart.values()];
}

const declaresUtf8 = (element: Element): boolean =>
  element.tagName === 'meta' &&
  /^utf-?8$|charset\s*=\s*utf-?8(?![\w-])/i.test(
    readAttr(element, 'charset') || readAttr(element, 'content'),
  );

export const getOffset = (element: Element): number => element.sourceCodeLocation?.startOffset ?? 0;

/** Returns a function that reads each element only once, because many images ask about the same elements. */
export function memoize<T, Key extends object = Element>(read: (key: Key) => T): (key: Key) => T {
  const results = new WeakMap<Key, T>();
  return (key) => {
    if (!results.has(key)) results.set(key, read(key));
    return results.get(key) as T;
  };
}

/** Returns the decoded value of an attribute. Empty for one without a value. @param name with its prefix */
export function findAttr({ attrs, sourceCodeLocation }: Element, name: string): string | undefined {
  // parse5 adds the attributes of a repeated `<html>` or `<body>` to the first. The source has none of them there.
  if (!sourceCodeLocation?.attrs?.[name]) return undefined;
  return attrs.find((attr) => (attr.prefix ? `${attr.prefix}:${attr.name}` : attr.name) === name)?.value;
}

export const readAttr = (element: Element, name: string) => findAttr(element, name)?.trim() ?? '';

/** Lists an element and the elements around it, the innermost first. @param max how many at most */
export function listEnclosing(element: Element, max: number = pageLimits.depth): Element[] {
  const elements: Element[] = [];
  let node: Node | null = element;
  while (node && 'tagName' in node && elements.length < max) {
    elements.push(node);
    node = node.parentNode;
  }
  return elements;
}

export const createChildFinder = (tag: string): ((parent: Element) => Element | undefined) =>
  memoize((parent) => parent.childNodes.find((child): child is Element => child.nodeName === tag));
const findImgChild = createChildFinder('img');

/** Finds the `<img>` of a picture. @param source an element of the picture */
export const findImg = ({ parentNode: parent }: Element): Element | undefined =>
  parent?.nodeName === 'picture' ? findImgChild(parent as Element) : undefined;

export const joinNames = (element: Element) => `${readAttr(element, 'class')} ${readAttr(element, 'id')}`;

const inlineTag =
  /^(?:a|abbr|b|cite|code|em|font|i|ins|kbd|label|mark|q|s|samp|small|strong|sub|sup|time|u|var|wbr)$/;
const tagWithoutText = /^(?:script|style|svg|noscript|template|#comment)$/;

/** Reads the text below a node as lines. Stops after so many characters or nodes. */
export function listLines(root: Node, charactersMax = Infinity, nodesMax = Infinity): string[] {
  let [text, nodes] = ['', 0];
  const readNode = (node: Node): void => {
    nodes += 1;
    if (node.nodeName === '#text')
      text += (node as DefaultTreeAdapterTypes.TextNode).value.slice(0, charactersMax).replace(/\s+/g, ' ');
    if (!('childNodes' in node) || tagWithoutText.test(node.nodeName)) return;
    const end = inlineTag.test(node.nodeName) ? '' : '\n';
    text += end;
    for (const child of node.childNodes) {
      if (text.length > charactersMax || nodes > nodesMax) return;
      readNode(child);
    }
    text += end;
  };
  readNode(root);
  const lines = text.slice(0, charactersMax).split('\n');
  return lines.map((line) => line.replace(/ +/g, ' ').trim()).filter(Boolean);
}

/** Reads the first lines of text below an element. Many images may ask, so it is read once. */
export const readFirstLines: (element: Element) => string[] = memoize((element) =>
  listLines(element, 1_000, 500),
);

export const readFirstText = (element: Element): string => readFirstLines(element).join(' ');
