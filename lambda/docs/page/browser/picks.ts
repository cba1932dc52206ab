/** Shows the images of a query to the holder of a key, who takes one for the account, refuses others and undoes both. */

import { byId, create } from './elements';
import { ask } from './images';
import { playgroundValues } from './playground';

interface Sheet {
  readonly chosen: string | null;
  readonly refused: readonly string[];
  readonly candidates: readonly {
    readonly number: number;
    readonly pick: string;
    readonly thumbnail: string;
    readonly alt: string | null;
    readonly fit: string;
  }[];
}

/** None before the images were asked for. */
let sheet: Partial<Sheet> | undefined;

/** Starts the form in which an account sees the images of a query, and chooses or refuses them. */
export function startPicks(): void {
  const on = (id: string, act: () => Promise<void>) =>
    byId(id, HTMLButtonElement).addEventListener('click', () => void act());
  on('show-sheet', () => decide('GET', words()));
  on('undo-picks', () => decide('DELETE', words()));
}

/** What the form decides about: its words, slot and orientation, within a tenth of square. */
function words(): Record<string, string> {
  const { query, width, height, provider } = playgroundValues();
  const ratio = Number(width) / Number(height);
  const orientation = ratio > 1.1 ? 'landscape' : ratio < 1 / 1.1 ? 'portrait' : 'square';
  return { query, orientation, ...(provider && { provider }) };
}

/** Sends a request with the key of the form, and shows what is decided then. */
async function decide(method: 'GET' | 'POST' | 'DELETE', values: Record<string, string>): Promise<void> {
  const said = byId('sheet-state', HTMLElement);
  const key = byId('try', HTMLFormElement).elements.namedItem('key') as HTMLInputElement;
  try {
    const answer =
      method === 'POST'
        ? await ask<Partial<Sheet>>('/api/picks', key.value, { method, body: values })
        : await ask<Partial<Sheet>>(`/api/picks?${new URLSearchParams(values)}`, key.value, { method });
    if (!answer.ok) {
      said.textContent = answer.problem.detail;
      return;
    }
    // Only GET answers with the candidates.
    if (method === 'GET') sheet = {};
    if (sheet) sheet = { ...sheet, ...answer.body };
    show();
  } catch {
    said.textContent = 'The service could not be reached.';
  }
}

function show(): void {
  const { chosen = null, refused = [], candidates = [] } = sheet ?? {};
  byId('sheet-state', HTMLElement).textContent =
    `${chosen ? 'One image is chosen' : 'No image is chosen'}, ${refused.length} refused.`;
  byId('sheet', HTMLElement).replaceChildren(
    ...candidates.map(({ number, pick, thumbnail, alt, fit }) => {
      const image = create('img', { alt: alt ?? `Image ${number}`, src: thumbnail });
      const take = buttonFor(`${number} · ${chosen === pick ? 'chosen' : fit}`, { pick });
      take.setAttribute('aria-pressed', String(chosen === pick));
      take.prepend(image);
      const isRefused = refused.includes(pick);
      const other = isRefused
        ? buttonFor('Refused', { refuse: pick }, 'DELETE')
        : buttonFor('Refuse', { refuse: pick });
      other.setAttribute('aria-label', `${isRefused ? 'Undo the refusal of' : 'Refuse'} image ${number}`);
      return create('li', {}, take, other);
    }),
  );
}

function buttonFor(text: string, decision: Record<string, string>, method: 'POST' | 'DELETE' = 'POST') {
  const button = create('button', { type: 'button' }, text);
  button.addEventListener('click', () => void decide(method, { ...words(), ...decision }));
  return button;
}
