/** The playground: a form for one request, its fields from the contract, and the response. */

import {
  imageParameters,
  type ParameterName,
  type ParameterText,
  parameterTexts,
} from '../../../contract/parameters';
import { anonymousRequestsPerHour } from '../../../contract/plans';
import { stockSlots } from '../../../contract/providers';
import {
  avoidables,
  colorNames,
  queryCharactersMax,
  rankSeedMax,
  sidePx,
} from '../../../contract/request-bounds';
import { schemaOf } from '../../../requests/json-schema';
import { type Html, html } from '../html';

/** How a field differs from what its schema makes of it. */
interface FieldTexts {
  /** The name of the parameter by default. */
  readonly label?: string;
  /** What stands for no value. */
  readonly empty?: string;
  /** Values to choose from, where the schema is a pattern. */
  readonly values?: readonly string[];
  readonly note?: string;
}

const texts: Readonly<Partial<Record<ParameterName, FieldTexts>>> = {
  alt: { label: 'Alternative' },
  seed: {
    empty: 'none: the best image',
    note: `2 to ${rankSeedMax}: the second best and so on. Any other text draws one.`,
  },
  avoid: { empty: 'nothing', values: [...avoidables, avoidables.join(',')] },
  color: { empty: 'any', values: colorNames },
  onmiss: { label: 'Without a match', empty: 'the best stock image' },
};

const option = (value: string, label: string, isChosen = false): Html =>
  html`<option value="${value}"${isChosen ? ' selected' : ''}>${label}</option>`;

const choices = (values: readonly string[]): readonly Html[] =>
  values.map((value) => option(value, value === 'ai' ? 'ai (needs a key)' : value));

/** The attribute with the default of a parameter, which the script leaves out of URLs. */
function defaultOf(name: ParameterName): Html | undefined {
  const { default: value } = schemaOf(name);
  return value === undefined || value === '' ? undefined : html` data-default="${String(value)}"`;
}

/** Texts over the whole width, then values to choose from, then numbers. */
function parameterFields(source: NonNullable<ParameterText['appliesTo']>): Html {
  const names = imageParameters.filter((name) => parameterTexts[name].appliesTo === source);
  const fields = (kind: FieldKind) => names.filter((name) => kindOf(name) === kind).map(field);
  return html`${fields('text')}<div class="two">${fields('select')}${fields('number')}</div>`;
}

type FieldKind = 'text' | 'select' | 'number';

function kindOf(name: ParameterName): FieldKind {
  if (valuesOf(name)) return 'select';
  return schemaOf(name)['type'] === 'integer' ? 'number' : 'text';
}

function valuesOf(name: ParameterName): readonly string[] | undefined {
  return texts[name]?.values ?? (schemaOf(name)['enum'] as readonly string[] | undefined);
}

function field(name: ParameterName): Html {
  const {
    label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    empty = 'none',
    note,
  } = texts[name] ?? {};
  return html`<label>${label} ${control(name, empty)}${note === undefined ? undefined : html`<small>${note}</small>`}</label>`;
}

function control(name: ParameterName, empty: string): Html {
  const { minimum, maximum, maxLength, default: value } = schemaOf(name);
  const values = valuesOf(name);
  if (values)
    return html`<select name="${name}"${defaultOf(name)}>${value === undefined ? option('', empty) : undefined}${choices(values)}</select>`;
  if (kindOf(name) === 'number')
    return html`<input name="${name}" type="number" inputmode="numeric" min="${Number(minimum)}" max="${Number(maximum)}" placeholder="${empty}">`;
  return html`<input name="${name}"${maxLength === undefined ? undefined : html` maxlength="${Number(maxLength)}"`} placeholder="${empty}">`;
}

const presets = [
  [1920, 1080, '16:9'],
  [1200, 800, '3:2'],
  [1080, 1080, '1:1'],
  [1080, 1350, '4:5'],
] as const;

const snippets = [
  ['html', 'HTML'],
  ['markdown', 'Markdown'],
  ['curl', 'Shell'],
  ['fetch', 'JavaScript'],
] as const;

function side(name: 'width' | 'height', value: number): Html {
  const label = name === 'width' ? 'Width' : 'Height';
  return html`<label>${label} <input name="${name}" type="number" inputmode="numeric" min="${sidePx.min}" max="${sidePx.max}" value="${value}" required></label>`;
}

/** The form for requests, of which each field is a parameter of the contract. */
export function playground(): Html {
  return html`<section id="try-it" aria-labelledby="try-title">
    <div class="wrap">
      <h2 id="try-title">Try it</h2>
      <p>Each run sends one real request, which counts toward your limit. Your API key stays in this page’s memory and is
        sent as a header only. It is never part of a URL or a snippet.</p>
      <div class="play">
        <div class="card">
          <noscript><p>The playground requires JavaScript. Image URLs work without it.</p></noscript>
          <form id="try" hidden autocomplete="off">
            <label>Query <input name="query" value="mountain lake" maxlength="${queryCharactersMax}" required></label>
            <label>Size <select name="size">
              ${presets.map(([w, h, ratio]) => option(`${w}x${h}`, `${w} × ${h} (${ratio})`, w === 1200))}${option('', 'Custom')}
            </select></label>
            <div class="two">${side('width', 1200)}${side('height', 800)}</div>
            <label>Source <select name="provider"${defaultOf('provider')}>
              ${stockSlots.map((slot) => option(slot, `${slot} (stock)`))}${choices(['ai'])}
            </select></label>
            <fieldset id="stock"><legend>Stock image</legend>${parameterFields('stock')}</fieldset>
            <fieldset id="ai" disabled><legend>AI image</legend>${parameterFields('ai')}</fieldset>
            <label>API key <input name="key" type="password" autocomplete="off" spellcheck="false" placeholder="optional">
              <small>Without a key: ${anonymousRequestsPerHour} requests per hour, stock images only.</small></label>
            <button id="go">Show image</button>
          </form>
        </div>
        <div class="stagearea">
          <p id="state" role="status" aria-live="polite">No request has been sent yet.</p>
          <figure>
            <div class="card canvas" id="canvas"><p>Your image appears here.</p></div>
            <figcaption id="credit"></figcaption>
          </figure>
          <div id="another" hidden>
            <h3>Another one <button class="quiet" type="button" id="show-six">Show the first six</button></h3>
            <p class="hint">Seeds 1 to 6: the six best stock images of the query. Each counts as one request. With a key, they are requested in one batch. A click on one copies its tag: with its <code>pick</code>, it shows that image at every size.</p>
            <ol id="six" aria-label="The six best images"></ol>
            <pre><code id="picked"></code></pre>
          </div>
          <dl id="facts" aria-label="Response details"></dl>
          <div class="snippet"><h3>URL <button class="quiet" type="button" data-copy="url" aria-label="Copy the URL">Copy</button></h3><pre><code id="url"></code></pre></div>
          <div class="snippets">
            ${snippets.map(
              ([name, label]) =>
                html`<div class="snippet"><h3>${label} <button class="quiet" type="button" data-copy="snippet-${name}" aria-label="Copy as ${label}">Copy</button></h3><pre><code id="snippet-${name}"></code></pre></div>`,
            )}
          </div>
          <p class="hint" id="key-note" hidden>Replace YOUR_API_KEY with your own key, on a server only: on public pages, <a href="#publish">publish</a> the image.</p>
          <p class="hint" id="said" role="status" aria-live="polite"></p>
        </div>
      </div>
    </div>
  </section>`;
}
