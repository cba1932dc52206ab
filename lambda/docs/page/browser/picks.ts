/** Shows the images of a query to the holder of a key, who takes one for the account, refuses others and undoes both. */

import type { Problem } from '../../../../packages/client/src/service';
import { byId } from './elements';
import { prefix } from './images';
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

let sheet: Sheet | undefined;

/** Starts the form in which an account sees the images of a query, and chooses or refuses them. */
export function startPicks(): void {
  const on = (id: string, act: () => Promise<void>) =>
    byId(id, HTMLButtonElement).addEventListener('click', () => void act());
  on('show-sheet', () => ask('GET', words()));
  on('undo-picks', () => ask('DELETE', words()));
}

/** What the form decides about: its words, slot and orientation, within a tenth of square. */
function words(): Record<string, string> {
  const { query, width, height, provider } = playgroundValues();
  const ratio = Number(width) / Number(height);
  const orientation = ratio > 1.1 ? 'landscape' : ratio < 1 / 1.1 ? 'portrait' : 'square';
  return { query, orientation, ...(provider && { provider }) };
}

/** Sends a request with the key of the form as a header, and shows what is decided then. */
async function ask(method: 'GET' | 'POST' | 'DELETE', values: Record<string, string>): Promise<void> {
  const said = byId('sheet-state', HTMLElement);
  const form = byId('try', HTMLFormElement);
  const isPosted = method === 'POST';
  try {
    const response = await fetch(`${prefix}/api/picks${isPosted ? '' : `?${new URLSearchParams(values)}`}`, {
      method,
      headers: {
        'X-API-Key': (form.elements.namedItem('key') as HTMLInputElement).value,
        ...(isPosted && { 'Content-Type': 'application/json' }),
      },
      referrerPolicy: 'no-referrer',
      ...(isPosted && { body: JSON.stringify(values) }),
    });
    const body: unknown = await response.json();
    if (!response.ok) {
      said.textContent = (body as Problem).detail;
      return;
    }
    sheet =
      method === 'GET' ? (body as Sheet) : sheet && { ...sheet, ...(body as Omit<Sheet, 'candidates'>) };
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
      const item = document.createElement('li');
      const image = new Image();
      image.alt = alt ?? `Image ${number}`;
      image.src = thumbnail;
      const take = buttonFor(`${number} · ${chosen === pick ? 'chosen' : fit}`, { pick });
      take.setAttribute('aria-pressed', String(chosen === pick));
      take.prepend(image);
      const isRefused = refused.includes(pick);
      const other = isRefused
        ? buttonFor('Refused', { refuse: pick }, 'DELETE')
        : buttonFor('Refuse', { refuse: pick });
      other.setAttribute('aria-label', `${isRefused ? 'Undo the refusal of' : 'Refuse'} image ${number}`);
      item.append(take, other);
      return item;
    }),
  );
}

function buttonFor(
  text: string,
  decision: Record<string, string>,
  method: 'POST' | 'DELETE' = 'POST',
): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.addEventListener('click', () => void ask(method, { ...words(), ...decision }));
  return button;
}
