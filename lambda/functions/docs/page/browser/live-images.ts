/** Loads the live examples of the page when they come into view, with their credit. */

import { creditOf, fetchRecord, type ImageRecord, prefix } from './fetch-record';

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

/** Fills the place of an image until it is loaded. */
function showPlaceholder(image: HTMLImageElement, { placeholder, color }: ImageRecord): void {
  if (color) image.style.backgroundColor = color;
  if (placeholder) image.style.background = `url(${placeholder.dataUri}) center / cover no-repeat`;
}

async function load(image: HTMLImageElement): Promise<void> {
  const caption = image.parentElement?.querySelector('figcaption');
  const url = prefix + (image.dataset['live'] ?? '');
  try {
    const response = await fetchRecord(url);
    // Where the request was refused, its URL shows an error card with the reason, which is free of charge.
    if (response.ok) showPlaceholder(image, response.record);
    image.src = response.ok ? response.record.url : url;
    caption?.replaceChildren(response.ok ? creditOf(response.record.attribution) : response.problem.detail);
  } catch {
    caption?.replaceChildren('The image could not be loaded: the service is not reachable.');
  }
}
