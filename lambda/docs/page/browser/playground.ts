/** Runs the playground: keeps URL and snippets current, sends the request, and shows the response and the strip of the six best images. */

import type { ImageRecord, Problem } from '../../../../packages/client/src/service';
import { byId, copyFrom, create, isWebUrl, link } from './elements';
import { type Answer, ask, creditOf, fetchRecord, prefix, showPlaceholder } from './images';
import { pickedTag, type RequestValues, snippetsOf, urlOf } from './snippets';

/** Response headers that are shown, in this order. */
const shownHeaders = (document.documentElement.dataset['headers'] ?? '').split(' ');

type Row = readonly [name: string, value: string | Node | null];

/** Starts the form that builds a request, shows its image and its snippets. */
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
    show(await fetchRecord(urlOf('', values), field(form, 'key').value), values.query);
    byId('another', HTMLElement).hidden = isAi(form);
    byId('six', HTMLElement).replaceChildren();
    byId('picked', HTMLElement).textContent = '';
  } catch {
    setState('The service could not be reached. Check your network connection.', true);
  }
  button.disabled = false;
  // On a phone the response is below the form.
  byId('canvas', HTMLElement).scrollIntoView({ block: 'nearest' });
}

/** Shows the images of the seeds 1 to 6; a click on one shows and copies the tag that names it, in the size of the form. */
async function showSix(form: HTMLFormElement): Promise<void> {
  const button = byId('show-six', HTMLButtonElement);
  const values = valuesOf(form);
  button.disabled = true;
  try {
    const problem = await showStrip(values, field(form, 'key').value, (record) => {
      const tag = byId('picked', HTMLElement);
      tag.textContent = pickedTag(location.origin + prefix, values, record);
      void copyFrom(tag);
    });
    if (problem) setState(`${problem.status} · ${problem.title}`, true);
  } catch {
    setState('The service could not be reached. Check your network connection.', true);
  }
  button.disabled = false;
}

function show(response: Answer<ImageRecord>, query: string): void {
  const headers = shownHeaders.map((name): Row => [name, response.headers.get(name)]);
  if (!response.ok) {
    const { title, detail, code, requestId } = response.problem;
    byId('canvas', HTMLElement).replaceChildren(create('p', {}, detail));
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
  const { url, width, height, source, attribution } = response.body;
  const image = new Image(width, height);
  image.alt = query;
  // Its place has its size before it is loaded, so that scrolling to it shows all of it.
  image.style.width = `min(100%, ${width}px, ${width / height} * var(--image-height-max))`;
  showPlaceholder(image, response.body);
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
  const items = rows.flatMap(([name, value]) =>
    value === null || value === '' ? [] : [create('dt', {}, name), create('dd', {}, value)],
  );
  byId('facts', HTMLElement).replaceChildren(...items);
}

/** Shorter and longest side of the images in the strip, in pixels. Their ratio is that of the form. */
const stripSidePx = { short: 120, longest: 4000 } as const;

const seeds = ['1', '2', '3', '4', '5', '6'] as const;

/**
 * Shows the images of the seeds 1 to 6 as buttons.
 * @param key API key, empty without one
 * @param select gets the record of an image that is clicked
 * @returns the problem of the first image that was not found
 * @throws when the service cannot be reached
 */
async function showStrip(
  values: RequestValues,
  key: string,
  select: (record: ImageRecord) => void,
): Promise<Problem | undefined> {
  const ratio = Number(values.width) / Number(values.height);
  const long = Math.min(stripSidePx.longest, Math.round(stripSidePx.short * Math.max(ratio, 1 / ratio)));
  const [width, height] = ratio >= 1 ? [long, stripSidePx.short] : [stripSidePx.short, long];
  const small = { ...values, width: String(width), height: String(height) };
  const strip = byId('six', HTMLElement);
  strip.replaceChildren();
  const show = (seed: string, record: ImageRecord) => strip.append(seedButton(seed, record, select));
  return key === '' ? oneByOne(small, show) : inOneCall(small, key, show);
}

type Show = (seed: string, record: ImageRecord) => void;

/** A record or a problem for each slot. */
type Batch = { readonly images: Readonly<Record<string, ImageRecord | Problem>> };

/** A batch takes an API key, which this page has from its form only. */
async function inOneCall(values: RequestValues, key: string, show: Show): Promise<Problem | undefined> {
  const side = { width: Number(values.width), height: Number(values.height) };
  const images = seeds.map((seed) => ({ ...values, ...side, slot: seed, seed }));
  const response = await ask<Batch>('/api/images', key, { method: 'POST', body: { images } });
  if (!response.ok) return response.problem;
  let problem: Problem | undefined;
  for (const seed of seeds) {
    const image = response.body.images[seed];
    if (image && 'code' in image) problem ??= image;
    else if (image) show(seed, image);
  }
  return problem;
}

async function oneByOne(values: RequestValues, show: Show): Promise<Problem | undefined> {
  for (const seed of seeds) {
    const response = await fetchRecord(urlOf('', { ...values, seed }));
    if (!response.ok) return response.problem;
    show(seed, response.body);
  }
  return undefined;
}

function seedButton(seed: string, record: ImageRecord, select: (record: ImageRecord) => void): HTMLElement {
  const image = new Image(record.width, record.height);
  image.alt = `Seed ${seed}${record.fit === null ? '' : `, fit ${record.fit}`}`;
  showPlaceholder(image, record);
  image.src = record.url;
  const button = create('button', { type: 'button' }, image, `seed=${seed}`);
  button.addEventListener('click', () => select(record));
  return create('li', {}, button);
}
