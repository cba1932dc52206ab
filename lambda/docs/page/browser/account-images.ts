/** The images that an account has shown, by page, with their credits; and those that are gone. */

import type { OwnCreditRow } from '../../../images/credits-schema';
import type { GoneImages } from '../../../quota/usage/usage-schema';
import { csvButton, tableOf } from './account-chart';
import { section } from './account-usage';
import { create, isWebUrl, link } from './elements';

const withoutPage = 'Not on a named page';

const hint = (text: string) => create('p', { class: 'hint' }, text);

/** @param isCut whether there are more than these */
export function imageSections(
  images: readonly OwnCreditRow[],
  isCut: boolean,
  gone: GoneImages,
): readonly HTMLElement[] {
  if (images.length === 0) return [section('Pages and images', hint('None yet.'))];
  const pages = new Map<string, OwnCreditRow[]>();
  for (const image of images)
    for (const page of image.pages) pages.set(page, [...(pages.get(page) ?? []), image]);
  const loose = images.filter((image) => image.pages.length === 0);
  const groups = [...[...pages].reverse(), ...(loose.length > 0 ? [[withoutPage, loose] as const] : [])];
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
      ...groups.map(([page, shown], i) => pageDetails(page, shown, i === 0)),
    ),
    section(
      'Gone images',
      goneRows.length === 0
        ? hint('None. A page shows a card in the place of an image that its source no longer has.')
        : tableOf('Gone images', ['Page', 'Pick', 'Was by'], goneRows),
    ),
  ];
}

/** Every field but the small images, in the order of the answer, and the pages as one cell. */
function exported(images: readonly OwnCreditRow[]): readonly (readonly string[])[] {
  const rows = images.map(({ pages, placeholder: _, thumbnail: __, ...row }) => ({
    ...row,
    pages: pages.join(';'),
  }));
  return [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) => Object.values(row).map((value) => String(value ?? ''))),
  ];
}

function pageDetails(page: string, images: readonly OwnCreditRow[], isOpen: boolean): HTMLElement {
  const gone = images.filter((image) => image.gone).length;
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
    create('ul', { class: 'images' }, ...images.map(imageItem)),
  );
}

function imageItem(image: OwnCreditRow): HTMLElement {
  const { gone, license, creditDue, creditLine, link: source } = image;
  const state = gone ? 'Gone' : creditDue ? `${license}: credit due` : license;
  return create(
    'li',
    {},
    thumbnailOf(image),
    create('b', gone ? { class: 'reached' } : {}, state),
    create('small', {}, isWebUrl(source) ? link(source, creditLine) : creditLine),
  );
}

/** The image as it was delivered before, or its placeholder where that is not there any more; neither costs anything. */
function thumbnailOf({ creditLine, placeholder, thumbnail, gone }: OwnCreditRow): HTMLElement {
  const frame = create('span', { class: gone ? 'thumb gone' : 'thumb' });
  const src = thumbnail ?? placeholder;
  if (src === null) return frame;
  const image = create('img', { src, alt: creditLine, loading: 'lazy', referrerpolicy: 'no-referrer' });
  image.addEventListener(
    'error',
    () => {
      if (placeholder === null) image.remove();
      else image.setAttribute('src', placeholder);
    },
    { once: true },
  );
  frame.append(image);
  return frame;
}
