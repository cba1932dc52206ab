/** Runs the playground: keeps URL and snippets current, sends the request and shows the response. */

import { byId, isWebUrl, link } from './elements';
import { creditOf, fetchRecord, prefix, type RecordResponse } from './fetch-record';
import { type RequestValues, urlOf } from './request-url';
import { showPlaceholder } from './show-image';
import { snippetsOf } from './snippets';
import { showStrip } from './strip';

/** Response headers that are shown, in this order. */
const shownHeaders = (document.documentElement.dataset['headers'] ?? '').split(' ');

type Row = readonly [name: string, value: string | Node | null];

export function startPlayground(): void {
  const form = byId('try', HTMLFormElement);
  form.addEventListener('input', ({ target }) => {
    const { name = '' } = target as HTMLInputElement;
    if (name === 'size') applySize(form);
    if (name === 'width' || name === 'height') selectSize(form);
    refresh(form);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
  byId('show-six', HTMLButtonElement).addEventListener('click', () => void showSix(form));
  form.hidden = false;
  refresh(form);
}

type Field = HTMLInputElement | HTMLSelectElement;

const field = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as Field;
const isAi = (form: HTMLFormElement) => field(form, 'provider').value === 'ai';

/** Copies the selected size into width and height; "Custom" leaves them as they are. */
function applySize(form: HTMLFormElement): void {
  const [width, height] = field(form, 'size').value.split('x');
  if (!width || !height) return;
  field(form, 'width').value = width;
  field(form, 'height').value = height;
}

/** Selects the size that width and height make, or "Custom". */
function selectSize(form: HTMLFormElement): void {
  const size = field(form, 'size') as HTMLSelectElement;
  const value = `${field(form, 'width').value}x${field(form, 'height').value}`;
  size.value = [...size.options].some((option) => option.value === value) ? value : '';
}

function valuesOf(form: HTMLFormElement): RequestValues {
  // Which parameters there are, and their defaults, is written in the form itself.
  const ofSource = byId(isAi(form) ? 'ai' : 'stock', HTMLFieldSetElement).elements;
  const options = [field(form, 'provider'), ...(ofSource as Iterable<Field>)].flatMap(
    ({ name, value, dataset }) =>
      value === '' || value === dataset['default'] ? [] : [[name, value] as const],
  );
  return {
    query: field(form, 'query').value,
    width: field(form, 'width').value,
    height: field(form, 'height').value,
    ...Object.fromEntries(options),
  };
}

/** The request in the form, for what else the page writes about it. */
export function playgroundValues(): RequestValues {
  return valuesOf(byId('try', HTMLFormElement));
}

function refresh(form: HTMLFormElement): void {
  const ai = isAi(form);
  byId('ai', HTMLFieldSetElement).disabled = !ai;
  byId('stock', HTMLFieldSetElement).disabled = ai;
  const conflict = ai && field(form, 'variation').value !== '' && field(form, 'alt').value !== '';
  field(form, 'alt').setCustomValidity(conflict ? 'Give a variation or an alternative, not both.' : '');
  const values = valuesOf(form);
  if (values.query.trim() === '') return;
  const needsKey = ai || values.onmiss !== undefined || field(form, 'key').value !== '';
  const url = urlOf(location.origin + prefix, values);
  byId('url', HTMLElement).textContent = url;
  for (const [name, text] of Object.entries(snippetsOf(url, values, needsKey)))
    byId(`snippet-${name}`, HTMLElement).textContent = text;
  byId('key-note', HTMLElement).hidden = !needsKey;
}

async function submit(form: HTMLFormElement): Promise<void> {
  const button = byId('go', HTMLButtonElement);
  const values = valuesOf(form);
  button.disabled = true;
  setState('Looking for an image…', false);
  try {
    show(await fetchRecord(urlOf(prefix, values), field(form, 'key').value), values.query);
    byId('another', HTMLElement).hidden = isAi(form);
    byId('six', HTMLElement).replaceChildren();
  } catch {
    setState('The service could not be reached. Check your network connection.', true);
  }
  button.disabled = false;
  // On a phone the response is below the form.
  byId('canvas', HTMLElement).scrollIntoView({ block: 'nearest' });
}

/** Shows the images of the seeds 1 to 6; a click on one fills in its seed and requests it. */
async function showSix(form: HTMLFormElement): Promise<void> {
  const button = byId('show-six', HTMLButtonElement);
  button.disabled = true;
  try {
    const problem = await showStrip(valuesOf(form), field(form, 'key').value, (seed) => {
      field(form, 'seed').value = seed;
      refresh(form);
      void submit(form);
    });
    if (problem) setState(`${problem.status} · ${problem.title}`, true);
  } catch {
    setState('The service could not be reached. Check your network connection.', true);
  }
  button.disabled = false;
}

function show(response: RecordResponse, query: string): void {
  const headers = shownHeaders.map((name): Row => [name, response.headers.get(name)]);
  if (!response.ok) {
    const { title, detail, code, requestId } = response.problem;
    const text = document.createElement('p');
    text.textContent = detail;
    byId('canvas', HTMLElement).replaceChildren(text);
    byId('credit', HTMLElement).replaceChildren();
    setState(`${response.status} · ${title}`, true);
    list([
      ['Status', String(response.status)],
      ['Code', link(`#${code}`, code)],
      ['Request', requestId],
      ...headers,
    ]);
    return;
  }
  const { url, width, height, source, attribution } = response.record;
  const image = new Image(width, height);
  image.alt = query;
  // Its place has its size before it is loaded, so that scrolling to it shows all of it.
  image.style.width = `min(100%, ${width}px, ${width / height} * var(--image-height-max))`;
  showPlaceholder(image, response.record);
  image.src = url;
  byId('canvas', HTMLElement).replaceChildren(image);
  byId('credit', HTMLElement).replaceChildren(creditOf(attribution));
  setState(`Found: ${width} × ${height} pixels from ${source}.`, false);
  list([
    ['Status', '302 (200 with format=json)'],
    ['Location', isWebUrl(url) ? link(url, url) : url],
    ...headers,
  ]);
}

function setState(text: string, isError: boolean): void {
  const state = byId('state', HTMLElement);
  state.textContent = text;
  state.className = isError ? 'bad' : '';
}

/** Shows names and values; those without a value are left out. */
function list(rows: readonly Row[]): void {
  const items = rows.flatMap(([name, value]) => {
    if (value === null || value === '') return [];
    const term = document.createElement('dt');
    const description = document.createElement('dd');
    term.textContent = name;
    description.append(value);
    return [term, description];
  });
  byId('facts', HTMLElement).replaceChildren(...items);
}
