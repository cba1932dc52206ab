/** Reads the subset of XML that scenes are written in, strictly: anything else is an error. */

export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Every element of a document, in the order they open.
 * @throws `Error` when a tag is malformed, or does not close the one that is open
 */
export function elementsOf(svg: string): readonly SvgElement[] {
  const tag = /<(\/?)([a-zA-Z]+)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<&]*")*)(\/?)>/y;
  const elements: SvgElement[] = [];
  const open: string[] = [];
  while (tag.lastIndex < svg.length) {
    const at = tag.lastIndex;
    const [, closing, name = '', attributes = '', empty] = tag.exec(svg) ?? [];
    if (name === '') throw new Error(`No tag at ${at}: ${svg.slice(at, at + 60)}`);
    if (closing) {
      if (open.pop() !== name) throw new Error(`</${name}> at ${at} closes nothing`);
      continue;
    }
    const pairs = [...attributes.matchAll(/ ([a-zA-Z][a-zA-Z0-9-]*)="([^"]*)"/g)].map(
      ([, key = '', value = '']) => [key, value],
    );
    elements.push({ name, attributes: Object.fromEntries(pairs) });
    if (!empty) open.push(name);
  }
  if (open.length > 0) throw new Error(`<${open.join('><')}> stays open`);
  return elements;
}
