/** Helpers for elements of a page. They insert texts as text, never as HTML. */

/** Finds an element by its id. @throws `Error` when the page has no such element of this type */
export function findElement<T extends HTMLElement>(id: string, type: new () => T): T {
  const existing = document.getElementById(id);
  if (!(existing instanceof type)) throw new Error(`The page has no #${id} of the expected type.`);
  return existing;
}

/** Makes an element. Children that are `undefined` are left out. */
export function createElement<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[T] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children.filter((child) => child !== undefined));
  return created;
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

/** Makes a table. The first column names the rows. On a phone, each row is a block with labelled cells. */
export function createTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLTableElement {
  const headCells = heads.map((text) => createElement('th', { scope: 'col' }, text));
  const body = rows.map(([name, ...cells]) => {
    const labelled = cells.map((cell, i) => createElement('td', { 'data-label': heads[i + 1] ?? '' }, cell));
    return createElement('tr', {}, createElement('th', { scope: 'row' }, name), ...labelled);
  });
  const head = createElement('thead', {}, createElement('tr', {}, ...headCells));
  return createElement('table', { 'aria-label': label }, head, createElement('tbody', {}, ...body));
}

/** Makes a link. If the target is no web address and no fragment, it makes plain text. */
export function createLink(href: string | undefined, text: string): Node {
  return href && /^(https?:|#)/.test(href)
    ? createElement('a', { href, rel: 'noopener noreferrer' }, text)
    : new Text(text);
}

/** Copies a text, and shows for a moment if that worked. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    fillElement('said', 'Copied to the clipboard.');
  } catch {
    fillElement('said', 'The clipboard is not available.');
  }
  setTimeout(() => fillElement('said'), 1_800);
}

/** Starts a list of tabs. The tab key stops at it once, and the arrow keys move between its tabs. */
export function startTabs(list: HTMLElement, select: (index: number) => void): void {
  const tabs = [...list.children] as HTMLElement[];
  const choose = (chosen: number) => {
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
    }
    select(chosen);
  };
  for (const [i, tab] of tabs.entries()) tab.addEventListener('click', () => choose(i));
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step === undefined) return;
    const focused = tabs.indexOf(document.activeElement as HTMLElement);
    const next = (focused + step + tabs.length) % tabs.length;
    choose(next);
    tabs[next]?.focus();
  });
}
