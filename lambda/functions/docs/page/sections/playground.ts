/** The playground: a form for one request, and what comes back. */

import { anonymousRequestsPerHour } from '../../../../contract/plans';
import { stockSlots } from '../../../../contract/providers';
import {
  choiceBounds,
  queryCharactersMax,
  seedCharactersMax,
  sidePx,
  styles,
  visibilities,
} from '../../../../contract/request-bounds';
import { type Html, html } from '../html';

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

const option = (value: string, label: string, isChosen = false): Html =>
  html`<option value="${value}"${isChosen ? ' selected' : ''}>${label}</option>`;
const choices = (values: readonly string[]): Html[] => values.map((value) => option(value, value));

function side(name: 'width' | 'height', value: number): Html {
  const label = name === 'width' ? 'Width' : 'Height';
  return html`<label>${label} <input name="${name}" type="number" inputmode="numeric" min="${sidePx.min}" max="${sidePx.max}" value="${value}" required></label>`;
}

function choice(name: 'variation' | 'alt', label: string): Html {
  return html`<label>${label} <input name="${name}" type="number" inputmode="numeric" min="${choiceBounds.min}" max="${choiceBounds.max}" placeholder="none"></label>`;
}

export function playground(): Html {
  return html`<section id="try-it" aria-labelledby="try-title">
    <div class="wrap">
      <h2 id="try-title">Try it</h2>
      <p>Each try is one real request. Your key, if you have one, stays in this page’s memory and is sent as a
        header; no address and no snippet holds it.</p>
      <div class="play">
        <div class="card">
          <noscript><p>The form needs JavaScript. The addresses work without it.</p></noscript>
          <form id="try" hidden autocomplete="off">
            <label>What should it show? <input name="query" value="mountain lake" maxlength="${queryCharactersMax}" required></label>
            <label>Size <select name="size">
              ${presets.map(([w, h, ratio]) => option(`${w}x${h}`, `${w} × ${h} (${ratio})`, w === 1200))}${option('', 'Custom')}
            </select></label>
            <div class="two">${side('width', 1200)}${side('height', 800)}</div>
            <label>Source <select name="provider">
              ${stockSlots.map((slot) => option(slot, `${slot} (stock)`))}${option('ai', 'ai (needs a key)')}
            </select></label>
            <fieldset id="stock"><label>Seed <input name="seed" maxlength="${seedCharactersMax}" placeholder="none">
              <small>Any text; picks another image.</small></label></fieldset>
            <fieldset id="ai" disabled><legend>AI image</legend>
              <div class="two">
                <label>Style <select name="style" data-default="photo">${choices(styles)}</select></label>
                <label>Visibility <select name="visibility" data-default="private">${choices(visibilities)}</select></label>
                ${choice('variation', 'Variation')}${choice('alt', 'Alternative')}
              </div>
            </fieldset>
            <label>API key <input name="key" type="password" autocomplete="off" spellcheck="false" placeholder="optional">
              <small>Without one: ${anonymousRequestsPerHour} requests an hour, stock images.</small></label>
            <button id="go">Show the image</button>
          </form>
        </div>
        <div class="stagearea">
          <p id="state" role="status" aria-live="polite">Nothing was asked yet.</p>
          <figure>
            <div class="card canvas" id="canvas"><p>Your image appears here.</p></div>
            <figcaption id="credit"></figcaption>
          </figure>
          <dl id="facts" aria-label="What came back"></dl>
          <div class="snippet"><h3>Address <button class="quiet" type="button" data-copy="address" aria-label="Copy the address">Copy</button></h3><pre><code id="address"></code></pre></div>
          <div class="snippets">
            ${snippets.map(
              ([name, label]) =>
                html`<div class="snippet"><h3>${label} <button class="quiet" type="button" data-copy="snippet-${name}" aria-label="Copy as ${label}">Copy</button></h3><pre><code id="snippet-${name}"></code></pre></div>`,
            )}
          </div>
          <p class="hint" id="key-note" hidden>Put your own key in place of YOUR_API_KEY. In an image tag everybody can read it: let
            your server ask instead, or use it for development alone.</p>
          <p class="hint" id="said" role="status" aria-live="polite"></p>
        </div>
      </div>
    </div>
  </section>`;
}
