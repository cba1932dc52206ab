/** The playground: requests the image that the form describes, and the six best images for its words. */

import type { ImageRecord } from '../../../../packages/client/src/service';
import { copyText, createElement, fillElement, findElement, setState } from './elements';
import { serviceRoot, showCode, startCode } from './playground-code';
import {
  copySelectedSize,
  enableOptions,
  form,
  readKey,
  readValues,
  selectTypedSize,
  setField,
} from './playground-form';
import { createImage, showResult } from './playground-result';
import { askService } from './service';
import {
  addParameters,
  isKeyRequired,
  type RequestValues,
  writePickedTag,
  writeShortestUrl,
} from './snippets';

/** Time without a change of the form after which its request is sent, in milliseconds. */
const debounceMs = 700;

const button = findElement('go', HTMLButtonElement);
let timer = 0;
/** Ends the requests for values that have changed since. */
let running = new AbortController();

/** Starts the playground, and shows its elements. They are hidden on a page without scripts. */
export function startPlayground(): void {
  form.addEventListener('input', ({ target }) => {
    const { name } = target as HTMLInputElement;
    if (name === 'size') copySelectedSize();
    if (name === 'width' || name === 'height') selectTypedSize();
    requestSoon();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await requestImage();
    // On a phone the image is below the form.
    findElement('canvas', HTMLElement).scrollIntoView({ block: 'nearest' });
  });
  for (const chip of form.querySelectorAll<HTMLButtonElement>('.chips button'))
    chip.addEventListener('click', () => requestWith('query', chip.textContent ?? ''));
  const demo = document.getElementById('demo-key');
  demo?.addEventListener('click', () => requestWith('key', demo.dataset['key'] ?? ''));
  const showSeeds = findElement('show-seeds', HTMLButtonElement);
  showSeeds.addEventListener('click', async () => {
    // A second click must not mix its images with those of the first.
    showSeeds.disabled = true;
    await showSixBest();
    showSeeds.disabled = false;
  });
  startCode();
  for (const id of ['try', 'code', 'seeds']) findElement(id, HTMLElement).hidden = false;
  startOver();
}

/** Drops the result for the former values, and shows the code for the values of the form. */
function startOver(): void {
  clearTimeout(timer);
  enableOptions();
  running.abort();
  running = new AbortController();
  button.disabled = false;
  fillElement('six');
  showCode();
}

function requestSoon(): void {
  startOver();
  const isKeyMissing = isKeyRequired(readValues()) && readKey() === '';
  if (form.checkValidity() && !isKeyMissing) timer = setTimeout(() => void requestImage(), debounceMs);
}

function requestWith(field: string, value: string): void {
  setField(field, value);
  void requestImage();
}

async function requestImage(): Promise<void> {
  startOver();
  const { signal } = running;
  const values = readValues();
  button.disabled = true;
  setState('Looking for an image …', false);
  const result = await askForRecord(values, signal);
  // A value has changed, so this is not the result for the form.
  if (signal.aborted) return;
  showResult(result, values.query);
  findElement('seeds', HTMLElement).hidden = !result.ok || values.provider === 'ai';
  showCode(result.ok ? result.body : undefined);
  button.disabled = false;
}

/** Shows the images of the first six seeds. A click on an image copies its tag. */
async function showSixBest(): Promise<void> {
  const values = readValues();
  const { signal } = running;
  fillElement('six');
  for (const seed of ['1', '2', '3', '4', '5', '6']) {
    const result = await askForRecord({ ...values, seed }, signal);
    if (signal.aborted) return;
    if (!result.ok) return setState(result.problem.detail, true);
    const record = result.body;
    const image = createImage(record, `Seed ${seed}: ${record.alt}`);
    const imageButton = createElement('button', { type: 'button', class: 'quiet' }, image, `seed=${seed}`);
    imageButton.addEventListener('click', () => void copyText(writePickedTag(serviceRoot, values, record)));
    findElement('six', HTMLElement).append(createElement('li', {}, imageButton));
  }
}

function askForRecord(values: RequestValues, signal: AbortSignal) {
  const path = addParameters(writeShortestUrl('', values), { format: 'json' });
  return askService<ImageRecord>(path, readKey(), { signal });
}
