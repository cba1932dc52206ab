/** The keys of an account, for its owner: made and shown once, renamed, replaced and revoked. */

import type { OwnKey } from '../../../credentials/own-keys';
import { copyText, create } from './elements';
import { type Answer, ask } from './images';

const path = '/api/keys';

/** A credential that was just made, with what is shown once. */
type MadeKey = OwnKey & { readonly secret: string };

/** The section of the keys, which are read when it is opened: a key that owns none is told so then. @param owner the key of the page */
export function keysSection(owner: string): HTMLElement {
  const shownOnce = create('div', { id: 'made', role: 'status', 'aria-live': 'polite' });
  const state = create('p', { id: 'keys-state', role: 'status', 'aria-live': 'polite' });
  const rows = create('tbody');

  /** Sends a change, shows the secret of what was made, and reads the list again. */
  const act: Act = async (method, below, body) => {
    state.className = '';
    state.textContent = '';
    shownOnce.replaceChildren();
    try {
      const changed: Answer<OwnKey | MadeKey> | undefined =
        method && (await ask(path + below, owner, undefined, { method, body }));
      if (changed?.ok && 'secret' in changed.body) shownOnce.replaceChildren(...secretOf(changed.body));
      const list = await ask<{ readonly keys: readonly OwnKey[] }>(path, owner);
      if (list.ok) rows.replaceChildren(...list.body.keys.map((key) => rowOf(key, act)));
      const refused = [changed, list].find((answer) => answer?.ok === false);
      if (refused?.ok === false) refuse(refused.problem.detail);
    } catch {
      refuse('The service could not be reached.');
    }
  };
  const refuse = (text: string) => {
    state.className = 'bad';
    state.textContent = text;
  };

  const headings = ['Name', 'Kind', 'Begins with', 'Created', 'Last used', 'State', ''];
  const head = create('tr', {}, ...headings.map((text) => create('th', { scope: 'col' }, text)));
  const table = create('table', {}, create('thead', {}, head), rows);
  const details = create(
    'details',
    { id: 'keys' },
    create('summary', {}, 'Keys'),
    newKeyForm(act),
    shownOnce,
    state,
    create('div', { class: 'scroll' }, table),
  );
  details.addEventListener('toggle', () => {
    if (details.open) void act(undefined, '');
  });
  return create('section', { 'aria-label': 'Keys' }, details);
}

/** @param method absent for a look at the list alone */
type Act = (method: 'POST' | 'PATCH' | 'DELETE' | undefined, below: string, body?: object) => Promise<void>;

function newKeyForm(act: Act): HTMLElement {
  const name = create('input', { id: 'key-name', required: '', maxlength: '64', autocomplete: 'off' });
  const kind = create(
    'select',
    { id: 'key-kind' },
    ...[
      ['live', 'API key'],
      ['owner', 'Owner key'],
      ['test', 'Test key'],
      ['signer', 'Signer'],
    ].map(([value = '', text = '']) => create('option', { value }, text)),
  );
  const form = create(
    'form',
    { id: 'new-key' },
    create('label', {}, 'Name ', name),
    create('label', {}, 'Kind ', kind),
    create('button', { type: 'submit' }, 'Create'),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { value } = kind;
    const more = {
      ...(value === 'test' && { mode: 'test' }),
      ...(value === 'owner' && { role: 'owner' }),
      ...(value === 'signer' && { kind: 'signer' }),
    };
    await act('POST', '', { name: name.value, ...more });
    name.value = '';
  });
  return form;
}

/** The secret, which no later visit shows. */
function secretOf({ name, secret }: MadeKey): readonly Node[] {
  const shown = create('code', { id: 'secret' }, secret);
  const button = create('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', () => void copyText(secret));
  const warning = `Copy the secret of “${name}” now: it is shown this once only.`;
  return [create('p', {}, create('strong', {}, warning)), create('p', {}, shown, ' ', button)];
}

function rowOf(key: OwnKey, act: Act): HTMLElement {
  const { id, name, prefix, createdAt, lastUsedOn } = key;
  const state = stateOf(key);
  const cells = [name, kindOf(key), prefix, createdAt.slice(0, 10), lastUsedOn ?? '–', state];
  const named = (text: string) => ({ type: 'button', 'aria-label': `${text} ${name}` });
  const below = `/${encodeURIComponent(id)}`;
  const button = (text: string, onClick: () => void) => {
    const made = create('button', named(text), text);
    made.addEventListener('click', onClick);
    return made;
  };
  const actions =
    state === 'revoked' || state === 'ended'
      ? []
      : [
          button('Rename', () => {
            const next = prompt('New name', name);
            if (next) void act('PATCH', below, { name: next });
          }),
          button('Rotate', () => {
            if (confirm(`Replace “${name}”? The old one works for seven more days.`))
              void act('POST', `${below}/rotate`);
          }),
          button('Revoke', () => {
            if (confirm(`Revoke “${name}” for good? It stops working within a minute.`))
              void act('DELETE', below);
          }),
        ];
  return create(
    'tr',
    {},
    ...cells.map((text) => create('td', {}, text)),
    create('td', { class: 'actions' }, ...actions),
  );
}

function kindOf({ kind, mode, role }: OwnKey): string {
  const what = { api: role === 'owner' ? 'Owner key' : 'API key', site: 'Site key', signer: 'Signer' }[kind];
  return mode === 'test' ? `${what}, test` : what;
}

function stateOf({ revokedAt, expiresAt }: OwnKey): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) > Date.now() ? `ends ${expiresAt.slice(0, 10)}` : 'ended';
}
