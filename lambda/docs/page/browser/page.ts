/** Runs the documentation page. A key stays in its field, and is sent in a header only. */

import { copyText, startCopyButtons, startMenu } from './elements';
import { Playground, serviceRoot } from './playground';
import { imageTag, shortestUrl } from './snippets';

/** Shows the page that holds the place to which the URL leads, or is its first, and marks it in the menu. */
function showPage(place: Element | null): void {
  const pages = [...document.querySelectorAll('.page')];
  const shownPage = place?.closest('.page') ?? place?.querySelector('.page') ?? pages[0];
  for (const page of pages) {
    const link = document.querySelector(`#menu a[href="#${page.id}"]`);
    if (page === shownPage) {
      page.removeAttribute('hidden');
      link?.setAttribute('aria-current', 'true');
    } else {
      // A search within the document finds what is in the other pages, and shows it.
      page.setAttribute('hidden', 'until-found');
      link?.removeAttribute('aria-current');
    }
  }
}

function showLinked(): void {
  const place = document.getElementById(location.hash.slice(1));
  // The link that skips to the contents names no page.
  if (place === document.getElementById('main') && place) return;
  showPage(place);
  if (place?.closest('.page') === place || place?.querySelector('.page')) scrollTo(0, 0);
  else place?.scrollIntoView();
}

addEventListener('hashchange', showLinked);
addEventListener('beforematch', ({ target }) => showPage(target as Element));
showLinked();

for (const button of document.querySelectorAll<HTMLButtonElement>('#gallery button'))
  button.addEventListener('click', () => {
    const values = { query: button.dataset['words'] ?? '', width: '1200', height: '800' };
    void copyText(imageTag(shortestUrl(serviceRoot, values), values));
  });
startMenu();
new Playground();
startCopyButtons();
