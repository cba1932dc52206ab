/** Finds, makes and fills elements of a page. Texts are inserted as text, never as HTML. */

/** Finds an element by its id. @throws `Error` when the page has no such element of this type */
export function findElement<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no #${id} of the expected type.`);
  return element;
}

/** Makes an element. Children that are `undefined` are left out. */
export function createElement<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Replaces the contents of the element with an id. */
export function fillElement(id: string, ...contents: readonly (Node | string)[]): void {
  findElement(id, HTMLElement).replaceChildren(...contents);
}

/** Shows in `#state` how the request of the page goes. */
export function setState(text: string, isError: boolean): void {
  fillElement('state', text);
  findElement('state', HTMLElement).classList.toggle('bad', isError);
}

/** Writes a number with separated thousands, such as `12,345`. */
export const writeNumber = (value: number): string => value.toLocaleString('en');

/** Makes a table. The first column names the rows. On a phone, each row is a block unless it has numbers. */
export function createTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (Node | string | number)[])[],
): HTMLTableElement {
  const hasNumbers = rows.some((cells) => cells.some((cell) => typeof cell === 'number'));
  const headCells = heads.map((text) => createElement('th', { scope: 'col' }, text));
  const body = rows.map((cells) => {
    const [name, ...others] = cells.map((cell) => (typeof cell === 'number' ? writeNumber(cell) : cell));
    const labelledCells = others.map((cell, i) =>
      createElement('td', { 'data-label': heads[i + 1] ?? '' }, cell),
    );
    return createElement('tr', {}, createElement('th', { scope: 'row' }, name), ...labelledCells);
  });
  const head = createElement('thead', {}, createElement('tr', {}, ...headCells));
  const attributes = { 'aria-label': label, class: hasNumbers ? 'numbers' : '' };
  return createElement('table', attributes, head, createElement('tbody', {}, ...body));
}

/** Copies a text, and shows for a moment whether that worked. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    fillElement('said', 'Copied to the clipboard.');
  } catch {
    fillElement('said', 'The clipboard is not available.');
  }
  setTimeout(() => fillElement('said'), 1_800);
}
