/** The images that an account has shown, by page, with their credits; and those that are gone. */

import type { CreditRow } from '../../../images/credits-schema';
import type { GoneImages } from '../../../quota/usage/usage-schema';
import { csvButton, tableOf } from './account-chart';
import { section } from './account-usage';
import { create, isWebUrl, link } from './elements';
import { fetchRecord } from './images';

const withoutPage = 'Not on a named page';

const hint = (text: string) => create('p', { class: 'hint' }, text);

/**
 * @param isCut whether there are more than these
 * @param key with which the images of a page are loaded, on demand
 */
export function imageSections(
  images: readonly CreditRow[],
  isCut: boolean,
  gone: GoneImages,
  key: string,
): readonly HTMLElement[] {
  if (images.length === 0) return [section('Pages and images', hint('None yet.'))];
  const pages = new Map<string, CreditRow[]>();
  for (const image of images)
    for (const page of image.pages.length > 0 ? image.pages : [withoutPage])
      pages.set(page, [...(pages.get(page) ?? []), image]);
  const creators = new Map(images.map(({ pick, creator }) => [pick, creator]));
  const goneRows = gone.flatMap(({ page, picks }) =>
    picks.map((pick) => [page, pick, creators.get(pick) ?? '–']),
  );
  return [
    section(
      'Pages and images',
      create(
        'div',
        { class: 'heading' },
        hint(`${images.length}${isCut ? ' and more' : ''} images, the page that was begun last first.`),
        csvButton('pages and images', 'images', () => exported(images)),
      ),
      ...[...pages].reverse().map(([page, shown], i) => pageDetails(page, shown, key, i === 0)),
    ),
    section(
      'Gone images',
      goneRows.length === 0
        ? hint('None. A page shows a card in the place of an image that its source no longer has.')
        : tableOf('Gone images', ['Page', 'Pick', 'Was by'], goneRows),
    ),
  ];
}

/** Every field but the placeholder, in the order of the answer, and the pages as one cell. */
function exported(images: readonly CreditRow[]): readonly (readonly string[])[] {
  const rows = images.map(({ pages, placeholder: _, ...row }) => ({ ...row, pages: pages.join(';') }));
  return [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) => Object.values(row).map((value) => String(value ?? ''))),
  ];
}

function pageDetails(page: string, images: readonly CreditRow[], key: string, isOpen: boolean): HTMLElement {
  const items = images.map((image) => ({ image, thumbnail: thumbnailOf(image) }));
  const present = items.filter(({ image }) => !image.gone);
  const gone = items.length - present.length;
  const button = create(
    'button',
    { type: 'button', class: 'quiet plain' },
    `Load thumbnails: ${present.length} requests`,
  );
  button.addEventListener('click', async () => {
    button.disabled = true;
    // One after another: each is a request like any other, within the limits of its account.
    for (const { image, thumbnail } of present) if (!(await load(image, thumbnail, key))) break;
    button.remove();
  });
  return create(
    'details',
    { class: 'page', ...(isOpen && { open: '' }) },
    create(
      'summary',
      {},
      create('b', {}, page),
      create('span', {}, `${images.length} ${images.length === 1 ? 'image' : 'images'}`),
      gone > 0 ? create('span', { class: 'reached' }, `${gone} gone`) : undefined,
    ),
    create('ul', { class: 'images' }, ...items.map(({ image, thumbnail }) => imageItem(image, thumbnail))),
    present.length > 0 ? button : undefined,
  );
}

function imageItem(
  { gone, license, creditDue, creditLine, link: source }: CreditRow,
  thumbnail: HTMLElement,
): HTMLElement {
  const state = gone ? 'Gone' : creditDue ? `${license}: credit due` : license;
  return create(
    'li',
    {},
    thumbnail,
    create('b', gone ? { class: 'reached' } : {}, state),
    create('small', {}, isWebUrl(source) ? link(source, creditLine) : creditLine),
  );
}

/** Its placeholder, which costs nothing. */
function thumbnailOf({ creditLine, placeholder, gone }: CreditRow): HTMLElement {
  const frame = create('span', { class: gone ? 'thumb gone' : 'thumb' });
  if (placeholder !== null) frame.append(create('img', { src: placeholder, alt: creditLine }));
  return frame;
}

/** @returns whether it was answered with an image */
async function load({ pick, creditLine }: CreditRow, thumbnail: HTMLElement, key: string): Promise<boolean> {
  const response = await fetchRecord(`/api/image?pick=${pick}&width=240&height=160`, key);
  if (!response.ok) {
    thumbnail.replaceChildren(create('small', {}, response.problem.title));
    return response.status !== 429;
  }
  const { url, alt } = response.body;
  thumbnail.replaceChildren(create('img', { src: url, alt: alt || creditLine, width: '240', height: '160' }));
  return true;
}
