/** The pages of an account and the images that they show, with their credits; and those that are gone. */

import type { AccountDocument } from '../../../quota/usage/usage-schema';
import { csvButton, tableOf } from './account-chart';
import { section } from './account-usage';
import { create, isWebUrl, link } from './elements';
import { fetchRecord, prefix } from './images';

type Page = AccountDocument['pages'][number];
type Shown = Page['images'][number];

/** @param key with which the images of a page are loaded, on demand */
export function imageSections({ pages }: AccountDocument, key: string): readonly HTMLElement[] {
  const all = pages.flatMap(({ page, images }) => images.map((image) => ({ page, ...image })));
  if (all.length === 0)
    return [
      section(
        'Pages and images',
        create(
          'p',
          { class: 'hint' },
          'None yet. A batch that names its page is listed here with its images.',
        ),
      ),
    ];
  const gone = all.filter((each) => each.gone);
  const head = ['page', 'slot', 'pick', 'gone', 'credit', 'provider', 'creator', 'license', 'link'];
  const rows = () =>
    all.map((each) => [
      each.page,
      each.slot,
      each.pick,
      String(each.gone),
      ...[each.credit, each.provider, each.creator, each.license, each.link].map((text) => text ?? ''),
    ]);
  return [
    section(
      'Pages and images',
      create(
        'div',
        { class: 'heading' },
        create(
          'p',
          { class: 'hint' },
          `${all.length} images on ${pages.length} pages, the last begun first.`,
        ),
        csvButton('pages and images', 'images', () => [head, ...rows()]),
      ),
      ...pages.map((page, i) => pageDetails(page, key, i === 0)),
    ),
    section(
      'Gone images',
      gone.length === 0
        ? create(
            'p',
            { class: 'hint' },
            'None. A page shows a card in the place of an image that its source no longer has.',
          )
        : tableOf(
            'Gone images',
            ['Page', 'Slot', 'Pick', 'Was by'],
            gone.map(({ page, slot, pick, creator }) => [page, slot, pick, creator ?? '–']),
          ),
    ),
  ];
}

function pageDetails({ page, images }: Page, key: string, isOpen: boolean): HTMLElement {
  const gone = images.filter((image) => image.gone).length;
  const items = images.map((image) => ({ image, thumbnail: thumbnailOf(image) }));
  const present = items.filter(({ image }) => !image.gone);
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
  const summary = `${images.length} ${images.length === 1 ? 'image' : 'images'}`;
  return create(
    'details',
    { class: 'page', ...(isOpen && { open: '' }) },
    create(
      'summary',
      {},
      create('b', {}, page),
      create('span', {}, summary),
      gone > 0 ? create('span', { class: 'reached' }, `${gone} gone`) : undefined,
    ),
    create('ul', { class: 'images' }, ...items.map(({ image, thumbnail }) => imageItem(image, thumbnail))),
    present.length > 0 ? button : undefined,
  );
}

function imageItem({ slot, gone, credit, link: source }: Shown, thumbnail: HTMLElement): HTMLElement {
  const by = credit === null ? 'Removed' : isWebUrl(source) ? link(source, credit) : credit;
  return create(
    'li',
    {},
    thumbnail,
    create('b', gone ? { class: 'reached' } : {}, gone ? `${slot}: gone` : slot),
    create('small', {}, by),
  );
}

/** Its placeholder, which costs nothing. */
function thumbnailOf({ slot, placeholder, gone }: Shown): HTMLElement {
  const frame = create('span', { class: gone ? 'thumb gone' : 'thumb' });
  if (placeholder !== null)
    frame.append(create('img', { src: placeholder, alt: `Image of the slot ${slot}` }));
  return frame;
}

/** @returns whether it was answered with an image */
async function load({ pick, slot }: Shown, thumbnail: HTMLElement, key: string): Promise<boolean> {
  const response = await fetchRecord(`${prefix}/api/image?pick=${pick}&width=240&height=160`, key);
  if (!response.ok) {
    thumbnail.replaceChildren(create('small', {}, response.problem.title));
    return response.status !== 429;
  }
  const { url, alt } = response.record;
  thumbnail.replaceChildren(
    create('img', { src: url, alt: alt || `Image of the slot ${slot}`, width: '240', height: '160' }),
  );
  return true;
}
