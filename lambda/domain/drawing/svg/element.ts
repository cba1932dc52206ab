/** Writes SVG elements and short numbers. */

/** A number as SVG text with one decimal at most. */
export function num(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return Object.is(rounded, -0) ? '0' : String(rounded);
}

/** A share such as an opacity or an offset, with three decimals. */
export function share(value: number): string {
  return String(Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000);
}

/** What an attribute may hold; undefined leaves the attribute out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

function write(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      if (typeof value !== 'number') return ` ${name}="${value}"`;
      return ` ${name}="${name.endsWith('opacity') ? share(value) : num(value)}"`;
    })
    .join('');
}

/** One element; `children` is markup already. */
export function element(name: string, attributes: Attributes, children = ''): string {
  return children === ''
    ? `<${name}${write(attributes)}/>`
    : `<${name}${write(attributes)}>${children}</${name}>`;
}
