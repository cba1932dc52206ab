/** A strict XML parser, so that a card that a browser would reject fails the test. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const namePattern = /[A-Za-z_][\w.-]*/y;
const entity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/;

/** Reads XML. @throws when the text is no well-formed document with one root element */
export function parseXml(xml: string): XmlElement {
  let position = 0;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${position}: ${xml.slice(position, position + 60)}`);
  };
  const take = (pattern: RegExp): string => {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = position;
    const [found] = sticky.exec(xml) ?? fail(`expected ${pattern.source}`);
    position += found.length;
    return found;
  };
  const checkText = (text: string) =>
    entity.test(text) || /[<\p{Cc}\uFFFE\uFFFF]/u.test(text) ? fail('bad text') : text;

  const parseElement = (): XmlElement => {
    take(/</);
    const name = take(namePattern);
    const attributes: Record<string, string> = {};
    while (/\s/.test(xml[position] ?? '')) {
      take(/\s+/);
      if (xml[position] === '/' || xml[position] === '>') break;
      const attribute = take(namePattern);
      take(/=/);
      if (attribute in attributes) fail('attribute twice');
      attributes[attribute] = checkText(take(/"[^"]*"/).slice(1, -1));
    }
    const children: (XmlElement | string)[] = [];
    if (take(/\/?>/) === '/>') return { name, attributes, children };
    while (!xml.startsWith('</', position))
      children.push(xml[position] === '<' ? parseElement() : checkText(take(/[^<]+/)));
    take(new RegExp(`</${name}\\s*>`));
    return { name, attributes, children };
  };

  const root = parseElement();
  if (position !== xml.length) fail('something after the document');
  return root;
}

/** All elements of a document, the root first. */
export function listElements(root: XmlElement): readonly XmlElement[] {
  return [root, ...root.children.flatMap((child) => (typeof child === 'string' ? [] : listElements(child)))];
}
