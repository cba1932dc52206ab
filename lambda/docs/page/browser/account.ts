/** Runs the account page: the report, and the keys that an owner creates, renames, replaces and revokes. */

import type { OwnKey } from '../../../credentials/own-keys';
import type { UsageDocument } from '../../../quota/usage/usage-schema';
import { createReport, formatUtc } from './account-usage';
import { copyText, createElement, createTable, fillElement, findElement, setState } from './elements';
import { askService } from './service';

const form = findElement('open', HTMLFormElement);
const keysSection = findElement('keys', HTMLDetailsElement);
const newKeyForm = findElement('new-key', HTMLFormElement);
/** Ends the reads of the key that was entered: a late answer must not show under the next key. */
let reads = new AbortController();
type ChangedKey = OwnKey & { readonly secret?: string };
/** The key that was entered. It stays in the memory of the page, and is sent in a header only. */
let ownerKey = '';

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  reads.abort();
  reads = new AbortController();
  const { signal } = reads;
  setState('Loading …', false);
  fillElement('report');
  keysSection.hidden = true;
  keysSection.open = false;
  ownerKey = findElement('key', HTMLInputElement).value.trim();
  const result = await askService<UsageDocument>('/api/usage', ownerKey, { signal });
  if (signal.aborted) return;
  if (!result.ok) return setState(result.problem.detail, true);
  fillElement('report', ...createReport(result.body));
  keysSection.hidden = false;
  setState(`As of ${formatUtc(new Date())} UTC.`, false);
});
form.hidden = false;

// The keys are read when their section is opened, because only owners may read them.
keysSection.addEventListener('toggle', () => {
  if (!keysSection.open) return;
  fillElement('keys-state');
  void showKeys();
});

newKeyForm.addEventListener('submit', async (event) => {
  event.preventDefault();
  // The value of an option is a query string with fields of the request, such as `role=owner`.
  const fields = new URLSearchParams(findElement('key-kind', HTMLSelectElement).value);
  const isCreated = await changeKeys('POST', '', {
    name: findElement('key-name', HTMLInputElement).value,
    ...Object.fromEntries(fields),
  });
  if (isCreated) newKeyForm.reset();
});

/** Changes a key, shows the new secret or the refusal, and reads the keys again. Returns true if it is changed. */
async function changeKeys(method: string, route: string, body?: object): Promise<boolean> {
  fillElement('keys-state');
  const { signal } = reads;
  const result = await askService<ChangedKey>(`/api/keys${route}`, ownerKey, { method, body });
  if (!signal.aborted) {
    if (!result.ok) fillElement('keys-state', result.problem.detail);
    else if (result.body.secret) showSecret(result.body.name, result.body.secret);
  }
  await showKeys();
  return result.ok;
}

async function showKeys(): Promise<void> {
  const { signal } = reads;
  const result = await askService<{ readonly keys: readonly OwnKey[] }>('/api/keys', ownerKey, { signal });
  if (signal.aborted) return;
  if (result.ok) fillElement('key-list', createKeyTable(result.body.keys));
  // The problem must not replace `keys-state`, because that may hold the only copy of a new secret.
  else fillElement('key-list', result.problem.detail);
}

function showSecret(name: string, secret: string): void {
  const copy = createButton('Copy', 'Copy the secret', () => void copyText(secret));
  const warning = `Copy the secret of “${name}” now: it is shown this once only.`;
  fillElement(
    'keys-state',
    createElement('p', {}, createElement('strong', {}, warning)),
    createElement('p', {}, createElement('code', { id: 'secret' }, secret), ' ', copy),
  );
}

function createKeyTable(keys: readonly OwnKey[]): HTMLElement {
  const rows = keys.map((key) => {
    const { name, prefix, createdAt, lastUsedOn } = key;
    const state = describeState(key);
    const hasEnded = state === 'revoked' || state === 'ended';
    const buttons = hasEnded ? [] : createChangeButtons(key);
    const days = [createdAt.slice(0, 10), lastUsedOn ?? '–'];
    return [name, describeKind(key), prefix, ...days, state, createElement('span', {}, ...buttons)];
  });
  const heads = ['Name', 'Kind', 'Begins with', 'Created', 'Last used', 'State', 'Change'];
  return createTable('Keys', heads, rows);
}

function createChangeButtons({ id, name }: OwnKey): readonly HTMLElement[] {
  const changes = {
    Rename() {
      const newName = prompt('New name', name);
      if (newName) void changeKeys('PATCH', `/${id}`, { name: newName });
    },
    Rotate() {
      if (confirm(`Replace “${name}”? The old one works for seven more days.`))
        void changeKeys('POST', `/${id}/rotate`);
    },
    Revoke() {
      if (confirm(`Revoke “${name}” for good? It stops working within a minute.`))
        void changeKeys('DELETE', `/${id}`);
    },
  };
  return Object.entries(changes).map(([text, change]) => createButton(text, `${text} ${name}`, change));
}

function createButton(text: string, label: string, onClick: () => void): HTMLElement {
  const button = createElement('button', { type: 'button', class: 'quiet', 'aria-label': label }, text);
  button.addEventListener('click', onClick);
  return button;
}

function describeKind({ kind, mode, role }: OwnKey): string {
  const name = { api: role === 'owner' ? 'Owner key' : 'API key', site: 'Site key', signer: 'Signer' }[kind];
  return mode === 'test' ? `${name}, test` : name;
}

function describeState({ revokedAt, expiresAt }: OwnKey): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) > Date.now() ? `ends ${expiresAt.slice(0, 10)}` : 'ended';
}
