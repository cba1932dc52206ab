/** Pages of an account, one with an image that is gone. */

import type { ShownPage } from '../../lambda/quota/usage/usage-schema';

const image = {
  slot: 'hero',
  placeholder: null,
  credit: null,
  provider: null,
  creator: null,
  license: null,
  link: null,
};

export const shownPages: readonly ShownPage[] = [
  {
    page: 'home',
    images: [
      { ...image, pick: 'aa', gone: true },
      { ...image, pick: 'bb', gone: false },
    ],
  },
  { page: 'about', images: [{ ...image, pick: 'bb', gone: false }] },
];
