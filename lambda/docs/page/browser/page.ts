/** Runs the documentation page. A key stays in its field, and is sent in a header only. */

import { copyText } from './elements';
import { Playground, serviceRoot } from './playground';
import { writeImageTag, writeShortestUrl } from './snippets';

/** Shows the topic to which the URL leads, or the first, and marks it in the menu. */
function showLinked(): void {
  const place = document.getElementById(location.hash.slice(1));
  // The link that skips to the contents leads to no topic.
  if (place?.id === 'main') return;
  const topics = [...document.querySelectorAll<HTMLElement>('.page')];
  const shown = place?.closest('.page') ?? place?.querySelector('.page') ?? topics[0];
  for (const topic of topics) topic.hidden = topic !== shown;
  document.querySelector('#menu [aria-current]')?.removeAttribute('aria-current');
  document.querySelector(`#menu a[href="#${shown?.id}"]`)?.setAttribute('aria-current', 'true');
  if (place && shown?.contains(place) && place !== shown) place.scrollIntoView();
  else scrollTo(0, 0);
}

addEventListener('hashchange', showLinked);
showLinked();

const menu = document.getElementById('menu');
menu?.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement) menu.hidePopover();
});

for (const button of document.querySelectorAll<HTMLButtonElement>('#gallery button'))
  button.addEventListener('click', () => {
    const values = { query: button.dataset['words'] ?? '', width: '1200', height: '800' };
    void copyText(writeImageTag(writeShortestUrl(serviceRoot, values), values));
  });
for (const button of document.querySelectorAll('.snippet button.quiet'))
  button.addEventListener('click', () => {
    const code = button.closest('.snippet')?.querySelector('pre');
    void copyText(code?.textContent ?? '');
  });
new Playground();
