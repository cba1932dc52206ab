/** Writes the markup of published images. The secret of a signer is used in this page only, and is never sent. */

import { createSigner } from '../../../../packages/client/src/signer';
import { byId } from './elements';
import { prefix } from './images';
import { createLatest } from './latest';
import { playgroundValues } from './playground';
import {
  publishedSnippets,
  type RequestValues,
  type SignedUrl,
  siteSnippet,
  uptoUrl,
  urlOf,
  withParameters,
} from './snippets';

/** Starts the forms that sign URLs in the page; the secret leaves it nowhere. */
export function startPublish(): void {
  const form = byId('sign', HTMLFormElement);
  const begin = createLatest();
  const refresh = async () => {
    const isLatest = begin();
    const { texts, state } = await snippetsOf(form, playgroundValues());
    // A later input may have been signed first.
    if (!isLatest()) return;
    for (const [name, text] of Object.entries(texts)) byId(`snippet-${name}`, HTMLElement).textContent = text;
    byId('sign-state', HTMLElement).textContent = state;
  };
  for (const each of [form, byId('try', HTMLFormElement)])
    each.addEventListener('input', () => void refresh());
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  void refresh();
}

async function snippetsOf(form: HTMLFormElement, values: RequestValues) {
  const text = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value.trim();
  const root = location.origin + prefix;
  const url = urlOf(root, values);
  const id = text('signer');
  const until = Math.floor(new Date(text('until')).getTime() / 1_000);
  const { signed, state } = await sign(url, id, text('secret'), until);
  const site = text('site') || 'YOUR_SITE_KEY';
  return {
    state,
    texts: {
      ...publishedSnippets(signed, { url, upto: uptoUrl(root, values) }, values),
      'site-html': siteSnippet(withParameters(url, [['site', site]]), values),
    },
  };
}

/** @param until end of the URL in Unix seconds, `NaN` for none */
async function sign(
  url: string,
  id: string,
  secret: string,
  until: number,
): Promise<{ readonly signed: SignedUrl; readonly state: string }> {
  const end = Number.isNaN(until) ? {} : { expires: until };
  const unsigned = withParameters(url, [
    ['signer', id || 'YOUR_SIGNER_ID'],
    ['expires', Number.isNaN(until) ? undefined : String(until)],
    ['signature', 'SIGNATURE'],
  ]);
  if (id === '' && secret === '') return { signed: { url: unsigned, ...end }, state: '' };
  // Browsers offer cryptography on pages of a secure origin only.
  if (!globalThis.crypto?.subtle)
    return { signed: { url: unsigned, ...end }, state: 'Open this page over HTTPS to sign in it.' };
  try {
    const signed = await createSigner({ id, secret }).sign(url, end);
    return { signed: { url: signed, ...end }, state: 'Signed in this page.' };
  } catch (error) {
    const state = secret === '' ? 'Fill in the secret to sign.' : `${(error as Error).message}.`;
    return { signed: { url: unsigned, ...end }, state };
  }
}
