/** Finds, creates and fills elements of a page. Texts are set as text, never as HTML. */

/** Finds the element with an id, of the expected type. @throws when the page has none */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const existing = document.getElementById(id);
  if (!(existing instanceof type)) throw new Error(`The page has no #${id} of the expected type.`);
  return existing;
}

/** Makes an element; children that are `undefined` are left out. */
export function element<T extends keyof HTMLElementTagNameMap>(
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
  byId(id, HTMLElement).replaceChildren(...contents);
}

/** Says in `#state` how the request of the page goes. */
export function setState(text: string, isError: boolean): void {
  fillElement('state', text);
  byId('state', HTMLElement).className = isError ? 'bad' : '';
}

/** The text of `#state` if no answer came. */
export const unreachableText = 'The service could not be reached. Check your network connection.';

/** Makes a table. @param heads of its columns */
export function createTable(label: string, heads: readonly string[], body: HTMLElement): HTMLTableElement {
  const cells = heads.map((text) => element('th', { scope: 'col' }, text));
  return element('table', { 'aria-label': label }, element('thead', {}, element('tr', {}, ...cells)), body);
}

/** Makes a link without referrer and opener. @param href of a record only after `isWebUrl` */
export function createLink(href: string, text: string): HTMLAnchorElement {
  return element('a', { href, rel: 'noopener noreferrer' }, ...breakableNodes(text));
}

/** Whether a URL from a record may become a link. */
export function isWebUrl(url: string | null | undefined): url is string {
  return /^https?:\/\//.test(url ?? '');
}

/** Code that may break behind the separators of a URL, but in no word. */
export function breakableNodes(text: string): readonly (Node | string)[] {
  const pieces = text
    .replace(/[\w+-]{40,}/g, (encoded) => encoded.replace(/.{24}/g, '$&\u200b'))
    .split(/(?<=[/?&=,;:])(?=[\w%#])|\u200b/);
  return pieces.flatMap((piece, i) => (i > 0 ? [element('wbr'), piece] : [piece]));
}

/** Time for which the page states whether it has copied, in milliseconds. */
const statusMs = 1_800;

/** Copies a text and says so. @returns whether the clipboard took it */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    showStatus('The clipboard is not available.');
    return false;
  }
  showStatus('Copied to the clipboard.');
  return true;
}

function showStatus(text: string): void {
  fillElement('said', text);
  setTimeout(() => fillElement('said'), statusMs);
}

/** Lets each `data-copy` button copy the text of its element, or select it if copying is not allowed. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]'))
    button.addEventListener('click', async () => {
      const source = byId(button.dataset['copy'] ?? '', HTMLElement);
      if (!(await copyText(source.textContent ?? ''))) getSelection()?.selectAllChildren(source);
    });
}

/** Lets the button "Menu" open the list of parts on a phone; a link in it or Escape closes it. */
export function startMenu(): void {
  const button = byId('menu-button', HTMLButtonElement);
  const setOpen = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    document.body.classList.toggle('menu', isOpen);
  };
  button.addEventListener('click', () => setOpen(button.getAttribute('aria-expanded') === 'false'));
  byId('menu', HTMLElement).addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) setOpen(false);
  });
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !document.body.classList.contains('menu')) return;
    setOpen(false);
    button.focus();
  });
}

/** Makes tabs one stop of the tab key, with arrow keys, Home and End between them. */
export function startTabs(list: HTMLElement, select: (index: number) => void): void {
  const tabs = [...list.children] as HTMLElement[];
  const choose = (chosen: number) => {
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
    }
    select(chosen);
  };
  list.addEventListener('click', ({ target }) => {
    const clicked = tabs.indexOf(target as HTMLElement);
    if (clicked >= 0) choose(clicked);
  });
  list.addEventListener('keydown', (event) => {
    const fromIndex = tabs.indexOf(event.target as HTMLElement);
    const lastIndex = tabs.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: fromIndex === 0 ? lastIndex : fromIndex - 1,
      ArrowRight: fromIndex === lastIndex ? 0 : fromIndex + 1,
      Home: 0,
      End: lastIndex,
    };
    const toIndex = targets[event.key];
    if (fromIndex < 0 || toIndex === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(toIndex);
    tabs[toIndex]?.focus();
  });
}
