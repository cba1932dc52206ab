/** Finds, creates and fills elements of a page. Texts are set as text, never as HTML. */

/** Finds the element with an id and of a type, or throws. */
export function findElement<T extends HTMLElement>(id: string, type: new () => T): T {
  const existing = document.getElementById(id);
  if (!(existing instanceof type)) throw new Error(`The page has no #${id} of the expected type.`);
  return existing;
}

/** Makes an element; children that are `undefined` are left out. */
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

/** Puts contents into the element with an id, in place of its own. */
export function fillElement(id: string, ...contents: readonly (Node | string)[]): void {
  findElement(id, HTMLElement).replaceChildren(...contents);
}

/** Says in `#state` how the request of the page goes. */
export function setState(text: string, isError: boolean): void {
  fillElement('state', text);
  findElement('state', HTMLElement).classList.toggle('bad', isError);
}

/** Makes a table whose first column names its rows. On a phone, rows are blocks with labelled cells. */
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

/** Makes a link, or the text alone where the target is no address of the web or this page. */
export function createLink(href: string | undefined, text: string): Node {
  return href && /^(https?:|#)/.test(href)
    ? createElement('a', { href, rel: 'noopener noreferrer' }, text)
    : new Text(text);
}

/** Copies a text, and says for a moment whether the clipboard took it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    fillElement('said', 'Copied to the clipboard.');
  } catch {
    fillElement('said', 'The clipboard is not available.');
  }
  setTimeout(() => fillElement('said'), 1_800);
}

/** Makes tabs one stop of the tab key, with arrow keys between them. */
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
