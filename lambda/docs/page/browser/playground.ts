/** Runs the playground: updates URL and code, and shows the image, its answer and the six best images. */

import type { ImageRecord } from '../../../../packages/client/src/service';
import { breakable, byId, copyText, create, isWebUrl, link, startTabs } from './elements';
import { ask, imageOf, prefix, type ServiceAnswer } from './images';
import {
  isKeyRequired,
  pickedTag,
  type RequestValues,
  requestUrl,
  snippetsOf,
  withParameters,
} from './snippets';

/** Root of the service, without a trailing slash. */
export const root = location.origin + prefix;

/** Time that the form rests before its request is sent, in milliseconds. */
const debounceMs = 700;

/** The seeds of the six best images. */
const seeds = ['1', '2', '3', '4', '5', '6'];

/** The text for "unlimited" in a limit. */
const unlimited = '2147483647';

const unreachable = 'The service could not be reached. Check your network connection.';

type Field = HTMLInputElement | HTMLSelectElement;

/** Starts the form that builds a request, shows its image and its code. */
export function startPlayground(): void {
  const form = byId('try', HTMLFormElement);
  const field = (name: string) => form.elements.namedItem(name) as Field;
  const go = byId('go', HTMLButtonElement);
  let timer = 0;
  let running = new AbortController();
  let shown: ImageRecord | undefined;
  let tab = 0;

  const askFor = (values: RequestValues, signal: AbortSignal) =>
    ask<ImageRecord>(withParameters(requestUrl('', values), [['format', 'json']]), keyOf(), signal);
  const keyOf = () => field('key').value.trim();
  const isAi = () => field('provider').value === 'ai';

  const valuesOf = (): RequestValues => {
    // The form itself states its parameters and their defaults.
    const ofSource = byId(isAi() ? 'ai' : 'stock', HTMLFieldSetElement).elements;
    const options = [field('provider'), ...(ofSource as Iterable<Field>)].flatMap(
      ({ name, value, dataset }) =>
        value === '' || value === dataset['default'] ? [] : [[name, value] as const],
    );
    const [query, width, height] = ['query', 'width', 'height'].map((name) => field(name).value);
    return { query, width, height, ...Object.fromEntries(options) } as RequestValues;
  };

  /** The code of the open tab; what is signed is known once the image is shown. */
  const writeCode = () => {
    const values = valuesOf();
    if (values.query.trim() === '') return;
    const url = requestUrl(root, values);
    byId('url', HTMLElement).replaceChildren(...breakable(url.slice(location.origin.length)));
    const hasKey = keyOf() !== '';
    const texts = snippetsOf(url, values, hasKey, hasKey ? shown : undefined);
    const [name, text] = Object.entries(texts)[tab] as [string, string];
    byId('code-panel', HTMLElement).setAttribute('aria-labelledby', `tab-${name}`);
    byId('snippet', HTMLElement).replaceChildren(...breakable(text));
    byId('code-note', HTMLElement).textContent = text.includes('YOUR_API_KEY')
      ? 'Replace YOUR_API_KEY with your own key, on a server only.'
      : hasKey && shown
        ? 'Signed for every visitor of your page.'
        : '';
  };

  const changed = () => {
    const ai = isAi();
    byId('ai', HTMLFieldSetElement).disabled = !ai;
    byId('stock', HTMLFieldSetElement).disabled = ai;
    const conflict = ai && field('variation').value !== '' && field('alt').value !== '';
    field('alt').setCustomValidity(conflict ? 'Give a variation or an alternative, not both.' : '');
    running.abort();
    shown = undefined;
    go.disabled = false;
    byId('six', HTMLElement).replaceChildren();
    writeCode();
  };

  const run = async () => {
    clearTimeout(timer);
    changed();
    running = new AbortController();
    const { signal } = running;
    const values = valuesOf();
    go.disabled = true;
    setState('Looking for an image …', false);
    try {
      const answer = await askFor(values, signal);
      if (answer.ok) shown = answer.body;
      show(answer, values.query);
      byId('seeds', HTMLElement).hidden = !answer.ok || isAi();
      writeCode();
    } catch {
      // A later request has been sent.
      if (signal.aborted) return;
      setState(unreachable, true);
    }
    go.disabled = false;
  };

  const runSoon = () => {
    clearTimeout(timer);
    changed();
    if (!form.checkValidity() || (isKeyRequired(valuesOf()) && keyOf() === '')) return;
    timer = setTimeout(run, debounceMs);
  };

  /** Shows small images of the first six seeds; a click on one copies its tag in the size of the form. */
  const showSix = async () => {
    const values = valuesOf();
    const { signal } = running;
    const strip = byId('six', HTMLElement);
    strip.replaceChildren();
    try {
      for (const seed of seeds) {
        const small = { ...values, seed, width: '240', height: smallHeight(values) };
        const answer = await askFor(small, signal);
        if (!answer.ok) return setState(`${answer.status} · ${answer.problem.title}`, true);
        const record = answer.body;
        const image = imageOf(record, `Seed ${seed}: ${record.alt}`);
        const choose = create('button', { type: 'button' }, image, `seed=${seed}`);
        choose.addEventListener('click', () => void copyText(pickedTag(root, values, record)));
        strip.append(create('li', {}, choose));
      }
    } catch {
      if (!signal.aborted) setState(unreachable, true);
    }
  };

  form.addEventListener('input', ({ target }) => {
    const { name } = target as HTMLInputElement;
    if (name === 'size') applySize(field);
    if (name === 'width' || name === 'height') selectSize(field);
    runSoon();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await run();
    // On a phone the image is below the form.
    byId('canvas', HTMLElement).scrollIntoView({ block: 'nearest' });
  });
  for (const chip of form.querySelectorAll<HTMLButtonElement>('.chips button'))
    chip.addEventListener('click', () => {
      field('query').value = chip.textContent ?? '';
      void run();
    });
  const demo = document.getElementById('demo-key');
  demo?.addEventListener('click', () => {
    field('key').value = demo.dataset['key'] ?? '';
    void run();
  });
  byId('show-seeds', HTMLButtonElement).addEventListener('click', () => void showSix());
  startTabs(form.ownerDocument.querySelector('[role=tablist]') as HTMLElement, (chosen) => {
    tab = chosen;
    writeCode();
  });
  for (const id of ['try', 'code', 'seeds']) byId(id, HTMLElement).hidden = false;
  changed();
}

/** Copies the selected size into width and height; "Custom" leaves them as they are. */
function applySize(field: (name: string) => Field): void {
  const [width, height] = field('size').value.split('x');
  if (!width || !height) return;
  field('width').value = width;
  field('height').value = height;
}

/** Selects the size that width and height make, or "Custom". */
function selectSize(field: (name: string) => Field): void {
  const size = field('size') as HTMLSelectElement;
  const value = `${field('width').value}x${field('height').value}`;
  size.value = [...size.options].some((option) => option.value === value) ? value : '';
}

/** Height of a small image of the same ratio, 240 pixels wide, within the bounds of a side. */
const smallHeight = ({ width, height }: RequestValues) =>
  String(Math.min(960, Math.max(100, Math.round((240 * Number(height)) / Number(width)))));

/** Shows the image with its credit and how it was found, or what the card of the error says. */
function show(answer: ServiceAnswer<ImageRecord>, query: string): void {
  const [remaining, limit] = ['Remaining', 'Limit'].map((name) => answer.headers.get(`X-RateLimit-${name}`));
  const left = limit === null || limit === unlimited ? '' : ` ${remaining} of ${limit} requests left.`;
  const canvas = byId('canvas', HTMLElement);
  const credit = byId('credit', HTMLElement);
  if (!answer.ok) {
    const { title, detail, code } = answer.problem;
    canvas.replaceChildren(create('p', {}, detail, ' ', link(`#${code}`, code)));
    credit.replaceChildren();
    setState(`${answer.status} · ${title}.${left}`, true);
    return;
  }
  const { width, height, source, cache, fit, note, attribution } = answer.body;
  const { creditLine, landingUrl } = attribution;
  canvas.replaceChildren(imageOf(answer.body, query));
  credit.replaceChildren(isWebUrl(landingUrl) ? link(landingUrl, creditLine) : creditLine);
  const about = [`from ${source}`, ...(fit === null ? [] : [`fit ${fit}`]), `cache ${cache}`];
  const said = note === null ? '' : ` ${note}`;
  setState(`Found: ${width} × ${height} pixels ${about.join(', ')}.${left}${said}`, false);
}

function setState(text: string, isError: boolean): void {
  const state = byId('state', HTMLElement);
  state.textContent = text;
  state.className = isError ? 'bad' : '';
}
