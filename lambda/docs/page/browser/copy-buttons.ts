/** Copies a snippet to the clipboard, or selects it where the browser forbids copying. */

import { byId } from './elements';

/** How long a button says that it has copied, in milliseconds. */
const confirmationMs = 1_500;

export function startCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]'))
    button.addEventListener('click', () => void copy(button));
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = byId(button.dataset['copy'] ?? '', HTMLElement);
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
  } catch {
    getSelection()?.selectAllChildren(source);
    return;
  }
  const said = byId('said', HTMLElement);
  button.textContent = 'Copied';
  said.textContent = 'Copied to the clipboard.';
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, confirmationMs);
}
