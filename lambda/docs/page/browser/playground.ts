/** Runs the playground: updates URL and code, and shows the image, its answer and the six best images. */

import type { ImageRecord } from '../../../../packages/client/src/service';
import { unlimitedRequests } from '../../../contract/plans';
import {
  copyText,
  createElement,
  createLink,
  fillElement,
  findElement,
  setState,
  startTabs,
} from './elements';
import { askService, type ServiceResult, stagePrefix } from './service';
import {
  addParameters,
  isKeyRequired,
  type RequestValues,
  writePickedTag,
  writeShortestUrl,
  writeSnippets,
} from './snippets';

/** Root of the service, without a trailing slash. */
export const serviceRoot = location.origin + stagePrefix;

/** Time without a change of the form after which its request is sent, in milliseconds. */
const debounceMs = 700;

type Field = HTMLInputElement | HTMLSelectElement;

/** The form that builds a request, with its image and its code. */
export class Playground {
  private readonly form = findElement('try', HTMLFormElement);
  private readonly go = findElement('go', HTMLButtonElement);
  private timer = 0;
  /** Ends the requests for values that have changed since. */
  private running = new AbortController();
  /** Absent once a value has changed. */
  private record: ImageRecord | undefined;
  private tab = 0;

  constructor() {
    this.form.addEventListener('input', ({ target }) => {
      const { name } = target as HTMLInputElement;
      if (name === 'size') this.applySize();
      if (name === 'width' || name === 'height') this.selectSize();
      this.runSoon();
    });
    this.form.addEventListener('submit', async (event) => {
      event.preventDefault();
      await this.run();
      // On a phone the image is below the form.
      findElement('canvas', HTMLElement).scrollIntoView({ block: 'nearest' });
    });
    for (const chip of this.form.querySelectorAll<HTMLButtonElement>('.chips button'))
      chip.addEventListener('click', () => this.runWith('query', chip.textContent ?? ''));
    const demo = document.getElementById('demo-key');
    demo?.addEventListener('click', () => this.runWith('key', demo.dataset['key'] ?? ''));
    findElement('show-seeds', HTMLButtonElement).addEventListener('click', () => void this.showSix());
    startTabs(document.querySelector('[role=tablist]') as HTMLElement, (chosen) => {
      this.tab = chosen;
      this.writeCode();
    });
    for (const id of ['try', 'code', 'seeds']) findElement(id, HTMLElement).hidden = false;
    this.startOver();
  }

  private field(name: string): Field {
    return this.form.elements.namedItem(name) as Field;
  }

  private key(): string {
    return this.field('key').value.trim();
  }

  private values(): RequestValues {
    const entries = [...(new FormData(this.form) as unknown as Iterable<[name: string, value: string]>)];
    // The first choice of a list is the default of its parameter.
    const values = entries.filter(
      ([name, value]) =>
        name !== 'size' &&
        name !== 'key' &&
        value !== '' &&
        (this.field(name) as HTMLSelectElement).selectedIndex !== 0,
    );
    return { query: '', width: '', height: '', ...Object.fromEntries(values) };
  }

  private ask(values: RequestValues, signal: AbortSignal): Promise<ServiceResult<ImageRecord>> {
    return askService(addParameters(writeShortestUrl('', values), { format: 'json' }), this.key(), {
      signal,
    });
  }

  /** Writes the code of the open tab; signed URLs are known once the image is shown. */
  private writeCode(): void {
    const values = this.values();
    if (values.query.trim() === '') return;
    const url = writeShortestUrl(serviceRoot, values);
    fillElement('url', url.slice(location.origin.length));
    const published = this.key() === '' ? undefined : this.record;
    const snippets = writeSnippets(url, values, this.key() !== '', published);
    const [name, text] = Object.entries(snippets)[this.tab] as [string, string];
    findElement('code-panel', HTMLElement).setAttribute('aria-labelledby', `tab-${name}`);
    fillElement('snippet', text);
    const isSigned = published ? 'Signed for every visitor of your page.' : '';
    const isForServer = 'Replace YOUR_API_KEY with your own key, on a server only.';
    fillElement('code-note', text.includes('YOUR_API_KEY') ? isForServer : isSigned);
  }

  /** Drops the answer to the former values, and writes the code for the values of the form. */
  private startOver(): void {
    clearTimeout(this.timer);
    const isAi = this.field('provider').value === 'ai';
    findElement('ai', HTMLFieldSetElement).disabled = !isAi;
    findElement('stock', HTMLFieldSetElement).disabled = isAi;
    this.running.abort();
    this.running = new AbortController();
    this.record = undefined;
    this.go.disabled = false;
    fillElement('six');
    this.writeCode();
  }

  private async run(): Promise<void> {
    this.startOver();
    const { signal } = this.running;
    const values = this.values();
    this.go.disabled = true;
    setState('Looking for an image …', false);
    const result = await this.ask(values, signal);
    // A value has changed, so that this is no answer to the form.
    if (signal.aborted) return;
    if (result.ok) this.record = result.body;
    showResult(result, values.query);
    findElement('seeds', HTMLElement).hidden = !result.ok || values.provider === 'ai';
    this.writeCode();
    this.go.disabled = false;
  }

  private runWith(name: string, value: string): void {
    this.field(name).value = value;
    void this.run();
  }

  private runSoon(): void {
    this.startOver();
    const isKeyMissing = isKeyRequired(this.values()) && this.key() === '';
    if (this.form.checkValidity() && !isKeyMissing)
      this.timer = setTimeout(() => void this.run(), debounceMs);
  }

  /** Shows the images of the first six seeds; a click on one copies its tag. */
  private async showSix(): Promise<void> {
    const values = this.values();
    const { signal } = this.running;
    fillElement('six');
    for (const seed of ['1', '2', '3', '4', '5', '6']) {
      const result = await this.ask({ ...values, seed }, signal);
      if (signal.aborted) return;
      if (!result.ok) return setState(result.problem.detail, true);
      const record = result.body;
      const image = createImage(record, `Seed ${seed}: ${record.alt}`);
      const button = createElement('button', { type: 'button', class: 'quiet' }, image, `seed=${seed}`);
      button.addEventListener('click', () => void copyText(writePickedTag(serviceRoot, values, record)));
      findElement('six', HTMLElement).append(createElement('li', {}, button));
    }
  }

  /** Copies the selected size into width and height; "Custom" leaves them as they are. */
  private applySize(): void {
    const [width, height] = this.field('size').value.split('x');
    if (!width || !height) return;
    this.field('width').value = width;
    this.field('height').value = height;
  }

  /** Selects the size that width and height make, or "Custom". */
  private selectSize(): void {
    const size = this.field('size') as HTMLSelectElement;
    const value = `${this.field('width').value}x${this.field('height').value}`;
    size.value = [...size.options].some((option) => option.value === value) ? value : '';
  }
}

/** Makes the image of a record, with its placeholder or colour until it is loaded. */
function createImage(record: ImageRecord, alt: string): HTMLImageElement {
  const { url, width, height, placeholder, color } = record;
  const image = new Image(width, height);
  image.alt = alt;
  image.style.background = placeholder ? `url(${placeholder.dataUri}) 0 / cover` : (color ?? '');
  image.src = url;
  return image;
}

function showResult(result: ServiceResult<ImageRecord>, query: string): void {
  const [remaining, limit] = ['Remaining', 'Limit'].map((name) => result.headers.get(`X-RateLimit-${name}`));
  const isLimited = limit !== null && Number(limit) !== unlimitedRequests;
  const leftText = isLimited ? ` ${remaining} of ${limit} requests left.` : '';
  if (!result.ok) {
    const { status, title, detail, code } = result.problem;
    fillElement('canvas', createElement('p', {}, detail, ' ', createLink(`#${code}`, code)));
    fillElement('credit');
    setState(`${status} · ${title}.${leftText}`, true);
    return;
  }
  const { width, height, source, cache, fit, note, attribution } = result.body;
  const { creditLine, landingUrl } = attribution;
  fillElement('canvas', createImage(result.body, query));
  fillElement('credit', createLink(landingUrl, creditLine));
  const fitText = fit === null ? '' : `, fit ${fit}`;
  const noteText = note === null ? '' : ` ${note}`;
  const foundText = `Found: ${width} × ${height} pixels from ${source}${fitText}, cache ${cache}.`;
  setState(`${foundText}${leftText}${noteText}`, false);
}
