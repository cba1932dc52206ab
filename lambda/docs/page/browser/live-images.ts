/** Loads the live examples of the page when they come into view, with their credit. */

import { creditOf, fetchRecord, prefix } from './fetch-record';
import { showPlaceholder, showResponsive, widthFor } from './show-image';

export function loadLiveImages(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLImageElement)) continue;
        observer.unobserve(target);
        void load(target);
      }
    },
    { rootMargin: '120px' },
  );
  for (const image of document.querySelectorAll('img[data-live]')) observer.observe(image);
}

/** One request for each image, in the size that fills its place: every size of the words is the same image. */
async function load(image: HTMLImageElement): Promise<void> {
  const caption = image.parentElement?.querySelector('figcaption');
  const live = image.dataset['live'] ?? '';
  const shownPx = image.clientWidth;
  const width = widthFor(shownPx);
  const [widthPx, heightPx] = [image.getAttribute('width'), image.getAttribute('height')].map(Number);
  const size = `${width}x${Math.round((width * (heightPx ?? 0)) / (widthPx ?? 1))}`;
  try {
    const response = await fetchRecord(prefix + live.replace(/\d{1,5}x\d{1,5}/, size));
    if (response.ok) {
      showPlaceholder(image, response.record);
      showResponsive(image, response.record, shownPx);
    } else {
      // The URL shows an error card with the reason, which is free of charge.
      image.src = prefix + live;
    }
    caption?.replaceChildren(response.ok ? creditOf(response.record.attribution) : response.problem.detail);
  } catch {
    caption?.replaceChildren('The image could not be loaded: the service is not reachable.');
  }
}
