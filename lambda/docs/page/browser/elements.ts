/** The elements of the page: found, created, made into tabs, and copied from; texts are set as text, never as HTML. */

/** The element with an id, of the expected type. @throws when the page has none */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no #${id} of the expected type.`);
  return element;
}

/** A new element; children that are `undefined` are left out. */
export function create<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A link that gives the page it leads to neither a referrer nor access to this one. @param href checked by `isWebUrl` where it comes from a record */
export function link(href: string, text: string): HTMLAnchorElement {
  return create('a', { href, rel: 'noopener noreferrer' }, text);
}

/** Whether a URL from a record may become a link. */
export function isWebUrl(url: string | null | undefined): url is string {
  return /^https?:\/\//.test(url ?? '');
}

/** How long a button says that it has copied, in milliseconds. */
const confirmationMs = 1_500;

/** Lets each `data-copy` button copy the text of the element that it names, or select it where the clipboard is not allowed. */
export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]'))
    button.addEventListener('click', () => void copy(button));
}

async function copy(button: HTMLButtonElement): Promise<void> {
  if (!(await copyFrom(byId(button.dataset['copy'] ?? '', HTMLElement)))) return;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, confirmationMs);
}

/** Copies the text of an element and says so, or selects it where the clipboard is not allowed. @returns whether it was copied */
export async function copyFrom(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
  const said = byId('said', HTMLElement);
  said.textContent = 'Copied to the clipboard.';
  setTimeout(() => {
    said.textContent = '';
  }, confirmationMs);
  return true;
}

/** Panels are the children of an element with `data-tabs`, which names its label; each begins with a heading, its tab's text. */
export function startTabs(): void {
  for (const group of document.querySelectorAll<HTMLElement>('[data-tabs]')) makeTabs(group);
}

function makeTabs(group: HTMLElement): void {
  const panels = [...group.children] as HTMLElement[];
  const list = create('div', {
    class: 'tabs',
    role: 'tablist',
    'aria-labelledby': group.dataset['tabs'] ?? '',
  });
  const tabs = panels.map((panel) => {
    const heading = panel.querySelector('h3');
    const own = { type: 'button', role: 'tab', id: `tab-${panel.id}`, 'aria-controls': panel.id };
    const tab = create('button', own, heading?.textContent ?? '');
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    // The tab says the same.
    heading?.remove();
    return tab;
  });

  const select = (chosen: number): void => {
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === chosen));
      // One stop for the tab key; the arrow keys lead from tab to tab.
      tab.tabIndex = i === chosen ? 0 : -1;
      (panels[i] as HTMLElement).hidden = i !== chosen;
    }
  };
  const move = (to: number): void => {
    const chosen = (to + tabs.length) % tabs.length;
    select(chosen);
    tabs[chosen]?.focus();
    tabs[chosen]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  list.addEventListener('click', ({ target }) => {
    const clicked = tabs.indexOf(target as HTMLButtonElement);
    if (clicked >= 0) select(clicked);
  });
  list.addEventListener('keydown', (event) => {
    const from = tabs.indexOf(event.target as HTMLButtonElement);
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = targets[event.key];
    if (from < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(to);
  });
  const openLinked = (): boolean => {
    const linked = panels.findIndex((panel) => `#${panel.id}` === location.hash);
    if (linked >= 0) select(linked);
    return linked >= 0;
  };
  // A link to a panel opens it, wherever it stands.
  addEventListener('hashchange', openLinked);

  list.append(...tabs);
  group.prepend(list);
  if (!openLinked()) select(0);
}
