/** Runs the playground: the form, the image that it describes, the code, and the six best images. */

import type { ImageRecord } from '../../../../packages/client/src/service';
import { unlimitedRequests } from '../../../contract/plans';
import { copyText, createElement, fillElement, findElement, setState } from './elements';
import { askService, type ServiceResult, serviceRoot } from './service';
import {
  addParameters,
  isKeyRequired,
  type RequestValues,
  writePickedTag,
  writeShortestUrl,
  writeSnippets,
} from './snippets';

/** Milliseconds from the last change of the form to its request. */
const debounceMs = 700;

const form = findElement('try', HTMLFormElement);
const button = findElement('go', HTMLButtonElement);
const tabs = [...document.querySelectorAll<HTMLElement>('#code [role=tab]')];
let timer = 0;
/** Aborts the requests of the form once a value changes. */
let formRequests = new AbortController();
let openTab = 0;
/** The record of the shown image. Absent once a value has changed. */
let shownRecord: ImageRecord | undefined;

/** Starts the playground, and shows its elements, which are hidden without scripts. */
export function startPlayground(): void {
  form.addEventListener('input', ({ target }) => {
    matchSizes((target as HTMLInputElement).name);
    startOver();
    const isKeyMissing = isKeyRequired(readValues()) && readKey() === '';
    if (form.checkValidity() && !isKeyMissing) timer = setTimeout(() => void requestImage(), debounceMs);
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
  startTabs();
  matchSizes('width');
  for (const id of ['try', 'code', 'seeds']) findElement(id, HTMLElement).hidden = false;
  startOver();
}

const findField = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
const readKey = () => findField('key').value.trim();

/** Reads the values of the request. Empty values and the first values of lists are left out. */
function readValues(): RequestValues {
  const isDefault = (name: string) => (findField(name) as HTMLSelectElement).selectedIndex === 0;
  const entries = new FormData(form) as unknown as Iterable<[name: string, value: string]>;
  const values = [...entries].filter(([name, value]) => value !== '' && !isDefault(name));
  const { size: _size, key: _key, ...request } = Object.fromEntries(values);
  return { query: '', width: '', height: '', ...request };
}

/** Copies the listed size to the fields of width and height, or selects it; "Custom" if it is not in the list. */
function matchSizes(changedField: string): void {
  const list = findField('size') as HTMLSelectElement;
  const [width, height] = [findField('width'), findField('height')];
  if (changedField === 'size' && list.value !== '') {
    [width.value = '', height.value = ''] = list.value.split('x');
  } else if (changedField === 'width' || changedField === 'height') {
    list.value = `${width.value}x${height.value}`;
    if (list.selectedIndex < 0) list.value = '';
  }
}

/** Drops the result of the former values, and shows the options and the code for the present values. */
function startOver(): void {
  const isAi = findField('provider').value === 'ai';
  findElement('ai', HTMLFieldSetElement).disabled = !isAi;
  findElement('stock', HTMLFieldSetElement).disabled = isAi;
  clearTimeout(timer);
  formRequests.abort();
  formRequests = new AbortController();
  button.disabled = false;
  fillElement('six');
  showCode();
}

function requestWith(field: string, value: string): void {
  findField(field).value = value;
  void requestImage();
}

async function requestImage(): Promise<void> {
  startOver();
  const { signal } = formRequests;
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

function askForRecord(values: RequestValues, signal: AbortSignal) {
  const path = addParameters(writeShortestUrl('', values), { format: 'json' });
  return askService<ImageRecord>(path, readKey(), { signal });
}

/** Shows the image with its credit, or the problem, and a sentence about it. */
function showResult(result: ServiceResult<ImageRecord>, query: string): void {
  const [remaining, limit] = ['Remaining', 'Limit'].map((name) => result.headers.get(`X-RateLimit-${name}`));
  const isLimited = limit !== null && Number(limit) !== unlimitedRequests;
  const remainingText = isLimited ? ` ${remaining} of ${limit} requests left.` : '';
  if (!result.ok) {
    const { status, title, detail, code } = result.problem;
    fillElement(
      'canvas',
      createElement('p', {}, detail, ' ', createElement('a', { href: `#${code}` }, code)),
    );
    fillElement('credit');
    setState(`${status} · ${title}.${remainingText}`, true);
    return;
  }
  const { width, height, source, cache, fit, note, attribution } = result.body;
  const { creditLine, landingUrl } = attribution;
  fillElement('canvas', createImage(result.body, query));
  const isWebAddress = /^https?:/.test(landingUrl ?? '');
  const link = { href: landingUrl ?? '', rel: 'noopener noreferrer' };
  fillElement('credit', isWebAddress ? createElement('a', link, creditLine) : creditLine);
  const fitText = fit === null ? '' : `, fit ${fit}`;
  const noteText = note === null ? '' : ` ${note}`;
  const foundText = `Found: ${width} × ${height} pixels from ${source}${fitText}, cache ${cache}.`;
  setState(`${foundText}${remainingText}${noteText}`, false);
}

/** Makes the image of a record. Until it is loaded, its place shows the placeholder or the colour. */
function createImage({ url, width, height, placeholder, color }: ImageRecord, alt: string): HTMLImageElement {
  const image = new Image(width, height);
  image.alt = alt;
  image.style.background = placeholder ? `url(${placeholder.dataUri}) 0 / cover` : (color ?? '');
  image.src = url;
  return image;
}

/** Returns a record if the form has a key. Its URLs are then signed for all visitors of a page. */
const getPublished = (record?: ImageRecord) => (readKey() === '' ? undefined : record);

/** Shows the images of the first six seeds. A click on an image copies its tag. */
async function showSixBest(): Promise<void> {
  const values = readValues();
  const { signal } = formRequests;
  fillElement('six');
  for (const seed of ['1', '2', '3', '4', '5', '6']) {
    const result = await askForRecord({ ...values, seed }, signal);
    if (signal.aborted) return;
    if (!result.ok) return setState(result.problem.detail, true);
    const record = result.body;
    const image = createImage(record, `Seed ${seed}: ${record.alt}`);
    const imageButton = createElement('button', { type: 'button', class: 'quiet' }, image, `seed=${seed}`);
    const tag = getPublished(record)?.html ?? writePickedTag(serviceRoot, values, record);
    imageButton.addEventListener('click', () => void copyText(tag));
    findElement('six', HTMLElement).append(createElement('li', {}, imageButton));
  }
}

/** Starts the tabs of the code. The tab key stops at them once, and the arrow keys move between them. */
function startTabs(): void {
  const selectValue = (chosen: number) => {
    for (const [i, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
    }
    openTab = chosen;
    showCode(shownRecord);
  };
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener('click', () => selectValue(i));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (step === undefined) return;
      const next = (i + step + tabs.length) % tabs.length;
      selectValue(next);
      tabs[next]?.focus();
    });
  }
}

/** Shows the URL of the form, and the snippet of the open tab. @param record of the shown image */
function showCode(record?: ImageRecord): void {
  shownRecord = record;
  const values = readValues();
  if (values.query.trim() === '') return;
  const url = writeShortestUrl(serviceRoot, values);
  fillElement('url', url.slice(location.origin.length));
  const publishedRecord = getPublished(record);
  const snippets = writeSnippets(url, values, readKey() !== '', publishedRecord);
  const [language, text] = Object.entries(snippets)[openTab] as [string, string];
  findElement('code-panel', HTMLElement).setAttribute('aria-labelledby', `tab-${language}`);
  fillElement('snippet', text);
  const signedNote = publishedRecord ? 'Signed for every visitor of your page.' : '';
  const keyNote = 'Replace YOUR_API_KEY with your own key, on a server only.';
  fillElement('code-note', text.includes('YOUR_API_KEY') ? keyNote : signedNote);
}
