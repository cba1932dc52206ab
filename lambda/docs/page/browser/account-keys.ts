/** Lets the owner of an account create, rename, replace and revoke its keys. A secret is shown once. */

import type { OwnKey } from '../../../credentials/own-keys';
import { copyText, createTable, element } from './elements';
import { askService } from './service';

const path = '/api/keys';

/** The kinds of credentials that can be made, with their fields of the request. */
const kinds: Readonly<Record<string, object>> = {
  'API key': {},
  'Owner key': { role: 'owner' },
  'Test key': { mode: 'test' },
  Signer: { kind: 'signer' },
};

/** The answer to a change; a new key has its secret, which no later answer has. */
type ChangedKey = OwnKey & { readonly secret?: string };
/** Sends a change of a key, shows the secret of a new one, and reads the list of keys again. */
type ChangeKeys = (method: 'POST' | 'PATCH' | 'DELETE', below: string, body?: object) => Promise<void>;

/** Shows the keys, read once it is opened, as a member key is refused. @param owner the key on the page */
export function keysSection(owner: string): HTMLElement {
  const createdNote = element('div', { id: 'made', role: 'status', 'aria-live': 'polite' });
  const state = element('p', { id: 'keys-state', role: 'status', 'aria-live': 'polite' });
  const rows = element('tbody');
  /** Clears the messages, makes a change, and reads the list of keys again. */
  const update = async (change?: () => Promise<void>) => {
    state.textContent = '';
    createdNote.replaceChildren();
    await change?.();
    const answer = await askService<{ readonly keys: readonly OwnKey[] }>(path, owner);
    if (answer.ok) rows.replaceChildren(...answer.body.keys.map((key) => keyRow(key, changeKeys)));
    else state.textContent = answer.problem.detail;
  };
  const changeKeys: ChangeKeys = (method, below, body) =>
    update(async () => {
      const answer = await askService<ChangedKey>(path + below, owner, { method, body });
      if (!answer.ok) state.textContent = answer.problem.detail;
      else if (answer.body.secret)
        createdNote.replaceChildren(...secretNodes(answer.body.name, answer.body.secret));
    });
  const table = createTable('Keys', ['Name', ...columns, 'Change'], rows);
  const contents = element('div', {}, newKeyForm(changeKeys), createdNote, state, table);
  const details = element('details', { id: 'keys' }, element('summary', {}, 'Manage keys'), contents);
  details.addEventListener('toggle', () => {
    if (details.open) void update();
  });
  return element('section', { 'aria-label': 'Keys' }, details);
}

function newKeyForm(changeKeys: ChangeKeys): HTMLElement {
  const name = element('input', { id: 'key-name', required: '', maxlength: '64', autocomplete: 'off' });
  const kind = element('select', {}, ...Object.keys(kinds).map((text) => element('option', {}, text)));
  const fields = [element('label', {}, 'Name ', name), element('label', {}, 'Kind ', kind)];
  const form = element('form', { class: 'line' }, ...fields, element('button', { type: 'submit' }, 'Create'));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await changeKeys('POST', '', { name: name.value, ...kinds[kind.value] });
    form.reset();
  });
  return form;
}

/** Shows the secret, which no later visit does. */
function secretNodes(name: string, secret: string): readonly Node[] {
  const copy = createButton('Copy', 'Copy the secret', () => void copyText(secret));
  const warning = `Copy the secret of “${name}” now: it is shown this once only.`;
  return [
    element('p', {}, element('strong', {}, warning)),
    element('p', {}, element('code', { id: 'secret' }, secret), ' ', copy),
  ];
}

const columns = ['Kind', 'Begins with', 'Created', 'Last used', 'State'];

function keyRow(key: OwnKey, changeKeys: ChangeKeys): HTMLElement {
  const { id, name, prefix, createdAt, lastUsedOn } = key;
  const state = stateOf(key);
  const below = `/${encodeURIComponent(id)}`;
  const rename = () => {
    const newName = prompt('New name', name);
    if (newName) void changeKeys('PATCH', below, { name: newName });
  };
  const rotate = () => {
    if (confirm(`Replace “${name}”? The old one works for seven more days.`))
      void changeKeys('POST', `${below}/rotate`);
  };
  const revoke = () => {
    if (confirm(`Revoke “${name}” for good? It stops working within a minute.`))
      void changeKeys('DELETE', below);
  };
  const actions = Object.entries({ Rename: rename, Rotate: rotate, Revoke: revoke });
  const cells = [kindOf(key), prefix, createdAt.slice(0, 10), lastUsedOn ?? '–', state];
  const hasEnded = state === 'revoked' || state === 'ended';
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, name),
    ...cells.map((text, i) => element('td', { 'data-label': columns[i] ?? '' }, text)),
    element(
      'td',
      {},
      ...(hasEnded ? [] : actions.map(([text, onClick]) => createButton(text, `${text} ${name}`, onClick))),
    ),
  );
}

function createButton(text: string, label: string, onClick: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'quiet', 'aria-label': label }, text);
  button.addEventListener('click', onClick);
  return button;
}

function kindOf({ kind, mode, role }: OwnKey): string {
  const name = { api: role === 'owner' ? 'Owner key' : 'API key', site: 'Site key', signer: 'Signer' }[kind];
  return mode === 'test' ? `${name}, test` : name;
}

function stateOf({ revokedAt, expiresAt }: OwnKey): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) > Date.now() ? `ends ${expiresAt.slice(0, 10)}` : 'ended';
}
