/** Runs the documentation page: its menu, its gallery, the copy buttons and the playground. */

import { copyText } from './elements';
import { startPlayground } from './playground';
import { serviceRoot } from './service';
import { writeImageTag, writeShortestUrl } from './snippets';

/** Shows the topic of the URL's fragment, or the first topic, and marks it in the menu. */
function showLinkedTopic(): void {
  const target = document.getElementById(location.hash.slice(1));
  // The link to `#main` only skips the menu.
  if (target?.id === 'main') return;
  const topics = [...document.querySelectorAll<HTMLElement>('.page')];
  const linkedTopic = target?.closest('.page') ?? target?.querySelector('.page') ?? topics[0];
  for (const topic of topics) topic.hidden = topic !== linkedTopic;
  document.querySelector('#menu [aria-current]')?.removeAttribute('aria-current');
  document.querySelector(`#menu a[href="#${linkedTopic?.id}"]`)?.setAttribute('aria-current', 'true');
  if (target && linkedTopic?.contains(target) && target !== linkedTopic) target.scrollIntoView();
  else scrollTo(0, 0);
}

addEventListener('hashchange', showLinkedTopic);
showLinkedTopic();

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
startPlayground();
