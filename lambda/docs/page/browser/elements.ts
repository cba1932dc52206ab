/** Finds and creates elements of the page; texts are set as text, never as HTML. */

/** The element with an id, of the expected type. @throws when the page has none */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no #${id} of the expected type.`);
  return element;
}

export function link(href: string, text: string): HTMLAnchorElement {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.rel = 'noopener noreferrer';
  anchor.textContent = text;
  return anchor;
}

/** Whether a URL from a record may become a link. */
export function isWebUrl(url: string | null | undefined): url is string {
  return /^https?:\/\//.test(url ?? '');
}
