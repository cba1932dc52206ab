/** Writes the start of the page: playground, gallery, and how the service works. */

import { capitalise } from '../../../base/text';
import { drawnCredit, type Example, exampleImages, galleryNames } from '../../../contract/example-images';
import {
  imageParameters,
  type ParameterName,
  parameters,
  parametersBySource,
} from '../../../contract/parameters';
import { anonymousRequestsPerHour } from '../../../contract/plans';
import { stockSlots } from '../../../contract/providers';
import { avoidables, colorNames, queryCharactersMax } from '../../../contract/request-bounds';
import { routes } from '../../../contract/routes';
import { type Html, html, writeSection } from '../html';

/** The values that the form lists for a parameter, if its schema lists none. */
const listedValues: Readonly<Partial<Record<ParameterName, readonly string[]>>> = {
  avoid: [...avoidables, avoidables.join(',')],
  color: colorNames,
};

const writeOption = (value: string, label = value): Html => html`<option value="${value}">${label}</option>`;

/**
 * Writes the field of a parameter. It is a list if the values are known, else a number or a text. The first value
 * of a list is the default, which the script leaves out of URLs.
 * @param required the first value of a number that is required
 */
function writeField(name: ParameterName, required?: number): Html {
  const { type, minimum, maximum, maxLength, default: value, enum: listed } = parameters[name].schema;
  const { label = capitalise(name), emptyText = 'none' } = parameters[name];
  const choices = listedValues[name] ?? (listed as readonly string[] | undefined);
  const control = choices
    ? html`<select name="${name}">${value === undefined ? writeOption('', emptyText) : undefined}${choices.map((listedValue) => writeOption(listedValue))}</select>`
    : type === 'integer'
      ? html`<input name="${name}" type="number" min="${Number(minimum)}" max="${Number(maximum)}" ${required === undefined ? html`placeholder="${emptyText}"` : html`value="${required}" required`}>`
      : html`<input name="${name}"${maxLength === undefined ? undefined : html` maxlength="${Number(maxLength)}"`} placeholder="${emptyText}">`;
  return html`<label>${label} ${control}</label>`;
}

const writeFields = (source: keyof typeof parametersBySource): readonly Html[] =>
  imageParameters.filter((name) => parametersBySource[source].includes(name)).map((name) => writeField(name));

const presets = [
  [1920, 1080, '16:9'],
  [1200, 800, '3:2'],
  [1080, 1080, '1:1'],
  [1080, 1350, '4:5'],
] as const;

const chips = ['city at night', 'team meeting', 'coffee', 'happy dog', 'solar panels'];

const codeTabs = ['HTML', 'Markdown', 'React', 'curl', 'Python'] as const;

/** Writes the playground: an image with its URL, the form, and code. The first image is a file of the service. */
function writePlayground(examplesUrl: string, demoKey: string | undefined): Html {
  const { words, widthPx, heightPx } = exampleImages['mountain-lake'] as Example;
  return html`<section id="try-it" aria-labelledby="try-title"><div class="intro">
    <h1 id="try-title">An image for any words</h1>
    <p class="lead">Put words and a size into the URL of an image tag. The service finds a matching stock image or
      generates one with AI, and redirects to it: cropped to the exact size, with its credit line.</p></div>
    <figure class="card shot">
      <code id="url">${routes.image}/${widthPx}x${heightPx}-${words.replaceAll(' ', '-')}</code>
      <div id="canvas"><img src="${examplesUrl}/mountain-lake.webp" width="${widthPx}" height="${heightPx}" alt="${words}"></div>
      <figcaption id="credit">${drawnCredit}</figcaption>
    </figure>
    <form id="try" class="card" hidden autocomplete="off">
      <label>What should it show? <input name="query" value="${words}" maxlength="${queryCharactersMax}" required></label>
      <p class="chips">${chips.map((chip) => html`<button class="quiet" type="button">${chip}</button>`)}</p>
      <label>Size <select name="size">
        ${presets.map(([w, h, ratio]) => writeOption(`${w}x${h}`, `${w} × ${h} (${ratio})`))}${writeOption('', 'Custom')}
      </select></label>
      <label>Source <select name="provider">
        ${stockSlots.map((slot) => writeOption(slot, `${slot} (stock)`))}${writeOption('ai', 'ai (needs a key)')}
      </select></label>
      <label>API key <input name="key" type="password" autocomplete="off" spellcheck="false" placeholder="optional" aria-describedby="key-hint"></label>
      <p class="hint" id="key-hint">${demoKey === undefined ? undefined : html`<button class="quiet" type="button" id="demo-key" data-key="${demoKey}">Use the demo key</button> `}Without a key: ${demoKey === undefined ? html`${anonymousRequestsPerHour} requests per hour, ` : undefined}stock images only. A key is sent in a header, and stays in this tab.</p>
      <details><summary>More options</summary><div>
        <fieldset>${writeField('width', widthPx)}${writeField('height', heightPx)}</fieldset>
        <fieldset id="stock"><legend>Stock image</legend>${writeFields('stock')}</fieldset>
        <fieldset id="ai" disabled><legend>AI image</legend>${writeFields('ai')}</fieldset>
      </div></details>
      <button id="go">Show image</button>
    </form>
    <div>
      <p id="state" role="status" aria-live="polite"></p>
      <noscript><p>The playground needs JavaScript. Image URLs work without it.</p></noscript>
      <div id="seeds" hidden>
        <p><button class="quiet" type="button" id="show-seeds">Show the six best</button> <span class="hint">Seeds 1 to 6, one request each. A click copies the tag of one, with its <code>pick</code>.</span></p>
        <ol id="six" class="plain tiles" aria-label="The six best images"></ol>
      </div>
      <div id="code" class="snippet" hidden>
        <div role="tablist" aria-label="Code">${codeTabs.map((name, i) => html`<button type="button" role="tab" id="tab-${name}" aria-controls="code-panel" aria-selected="${String(i === 0)}"${i === 0 ? undefined : html` tabindex="-1"`}>${name}</button>`)}</div>
        <div id="code-panel" role="tabpanel" aria-labelledby="tab-HTML"><button class="quiet" type="button" aria-label="Copy the code">Copy</button><pre><code id="snippet"></code></pre></div>
        <p class="hint" id="code-note"></p>
      </div>
    </div>
  </section>`;
}

function writeGallery(examplesUrl: string): Html {
  const items = galleryNames.map((name) => {
    const { words, widthPx, heightPx } = exampleImages[name] as Example;
    return html`<li><button class="quiet" type="button" data-words="${words}"><img src="${examplesUrl}/${name}.webp" width="${widthPx}" height="${heightPx}" alt="" loading="lazy" decoding="async"><span>${words}</span></button></li>`;
  });
  return writeSection(
    'gallery-of-words',
    'Gallery',
    html`<p>A click copies the tag. These images are drawings of the service. Your URLs show images of its sources.</p>
    <ul id="gallery" class="plain tiles">${items}</ul>`,
  );
}

const howSection = writeSection(
  'how',
  'How it works',
  html`<ol class="plain cards">
    <li class="card"><h3>Write a URL</h3><p>Size and words are in the path: <code>1200x800-mountain-lake</code>. Everything else is an
      optional query parameter.</p></li>
    <li class="card"><h3>Get a redirect</h3><p>The answer is a 302 to an image of exactly that size. Browsers follow it; programs read
      <code>Location</code>.</p></li>
    <li class="card"><h3>Get it again</h3><p>The same URL returns the same image. Another <code>seed</code> selects another one,
      which stays the same as well.</p></li></ol>
  <p>Next: <a href="#publish">publish images in a page</a>, <a href="#frameworks">use them in a framework</a>, or read all
    <a href="#parameters">parameters</a>.</p>`,
);

/** Writes the sections of the first topic. @param demoKey the test key that a local service offers */
export function writeStartSections(examplesUrl: string, demoKey: string | undefined): Html {
  return html`${writePlayground(examplesUrl, demoKey)}
${writeGallery(examplesUrl)}
${howSection}`;
}
