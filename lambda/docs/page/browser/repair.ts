/** Sends a pasted page to the service, and shows the filled page apart from this one, with a report of its images. */

import { byId, create } from './elements';
import { ask } from './images';

/** What is shown of the answer. */
interface Filled {
  readonly html: string;
  readonly left: number;
  readonly report: readonly {
    readonly line: number;
    readonly was: string;
    readonly outcome: string;
    readonly reason: string;
    readonly query: string | null;
    readonly width: number | null;
    readonly height: number | null;
    readonly note?: string;
  }[];
}

/** Starts the form that has a pasted page filled with images. */
export function startRepair(): void {
  const form = byId('repair-form', HTMLFormElement);
  const state = byId('repair-state', HTMLElement);
  const preview = byId('repair-preview', HTMLElement).attachShadow({ mode: 'open' });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    state.textContent = 'Repairing …';
    const text = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value;
    try {
      const page = { html: text('html') };
      const answer = await ask<Filled>('/api/pages', text('key').trim(), { method: 'POST', body: page });
      if (!answer.ok) state.textContent = answer.problem.detail;
      else {
        const { report, left } = answer.body;
        show(answer.body, preview);
        const done = report.filter(({ outcome }) => /^(?:filled|drawn)$/.test(outcome)).length;
        state.textContent = `${done} ${done === 1 ? 'image' : 'images'} replaced, ${left} left.`;
      }
    } catch {
      state.textContent = 'The service could not be reached.';
    }
  });
  form.hidden = false;
}

function show({ html, report }: Filled, preview: ShadowRoot): void {
  const rows = report.map(({ line, was, outcome, reason, query, width, height, note }) => {
    const now = `${outcome}: ${reason.replace(/_/g, ' ')}`;
    const size = width === null ? '' : `${width} × ${height}`;
    const cells = [String(line), was, query ?? '', size, note ? `${now}. ${note}` : now];
    return create('tr', {}, ...cells.map((text) => create('td', {}, text)));
  });
  byId('repair-report', HTMLElement).replaceChildren(...rows);
  byId('repair-html', HTMLElement).textContent = html;
  byId('repair-result', HTMLElement).hidden = false;
  (preview.host.parentElement as HTMLElement).hidden = false;
  showPage(html, preview);
}

/** What has no place in a preview: the page's policy runs no script of it, and nothing is loaded but images. */
const leftOut = 'script, textarea[data-css], link, meta, base, iframe, object, embed, template, title';

/** Shows a page within this one. Its styles are set by script, as the policy of this page asks, and apply to it alone. */
function showPage(html: string, preview: ShadowRoot): void {
  const inert = html
    .replace(/<(\/?)style\b/gi, (_, slash) => (slash ? '</textarea' : '<textarea data-css'))
    .replace(/(\s)style(\s*=\s*["'])/gi, '$1data-style$2');
  const parsed = new DOMParser().parseFromString(inert, 'text/html');
  preview.adoptedStyleSheets = [...parsed.querySelectorAll('textarea[data-css]')].map((style) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      (style.textContent ?? '').replace(/(^|[},\s])(?:html|body|:root)(?=[\s,.{:])/g, '$1:host'),
    );
    return sheet;
  });
  for (const each of parsed.querySelectorAll(leftOut)) each.remove();
  for (const each of parsed.querySelectorAll('a, form, button, input'))
    for (const name of ['href', 'action', 'formaction']) each.removeAttribute(name);
  preview.replaceChildren(...parsed.body.childNodes);
  for (const element of preview.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset['style'] ?? '';
}
