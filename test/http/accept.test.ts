/** The headers of real browsers and programs decide the format and the form of an error. */

import { chooseFormat, isImageLoad } from '../../lambda/http/accept';

const chromeImage = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const chromePage =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const firefoxImage = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
const firefoxOldImage = 'image/avif,image/webp,*/*';
const firefoxPage = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const safariImage =
  'image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
const safariOldImage = 'image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5';
const safariPage = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('isImageLoad', () => {
  test.each([
    ['Chrome, image tag', 'image', chromeImage, true],
    ['Chrome, image tag on plain http', undefined, chromeImage, true],
    ['Chrome, page', 'document', chromePage, false],
    ['Chrome, page on plain http', undefined, chromePage, false],
    ['Chrome, frame', 'iframe', chromePage, false],
    ['Chrome, fetch', 'empty', '*/*', false],
    ['Chrome, fetch that asks for images', 'empty', 'image/*', false],
    ['Firefox, image tag', 'image', firefoxImage, true],
    ['Firefox, image tag on plain http', undefined, firefoxImage, true],
    ['Firefox before 128, image tag', undefined, firefoxOldImage, true],
    ['Firefox, page', 'document', firefoxPage, false],
    ['Safari, image tag', undefined, safariImage, true],
    ['Safari before 16, image tag', undefined, safariOldImage, true],
    ['Safari, page', undefined, safariPage, false],
    ['curl', undefined, '*/*', false],
    ['node fetch', undefined, '*/*', false],
    ['no headers at all', undefined, undefined, false],
    ['an empty destination header', '', chromeImage, true],
    ['a destination in capitals with spaces', ' Image ', '*/*', true],
    ['another destination with an image Accept', 'video', chromeImage, false],
    ['any image', undefined, 'image/*', true],
    ['one kind of image', undefined, 'image/png', true],
    ['images in capitals', undefined, 'IMAGE/PNG', true],
    ['images before JSON', undefined, 'image/*, application/json;q=0.1', false],
    ['images beside problem documents', undefined, 'image/*, application/problem+json', false],
    ['images beside versioned JSON', undefined, 'image/*, application/vnd.example.v3+json', false],
    ['images with JSON refused', undefined, 'image/*, application/json;q=0', true],
    ['images after anything else', undefined, 'image/*;q=0.5, */*', false],
    ['images refused', undefined, 'image/*;q=0', false],
    ['a word that is no type', undefined, 'image', false],
    ['nothing', undefined, '', false],
  ])('%s sends an image load or another request', (_, destination, accept, is) =>
    expect(isImageLoad(destination, accept)).toBe(is),
  );
});

describe('chooseFormat', () => {
  test.each([
    ['Chrome', chromeImage, 'webp'],
    ['Firefox', firefoxImage, 'webp'],
    ['Safari', safariImage, 'webp'],
    ['Safari before 14', safariOldImage, 'jpeg'],
    ['curl', '*/*', 'jpeg'],
    ['nothing', undefined, 'jpeg'],
    ['an empty header', '', 'jpeg'],
    ['any image', 'image/*', 'jpeg'],
    ['AVIF alone', 'image/avif', 'avif'],
    ['AVIF first by weight', 'image/avif, image/webp;q=0.9', 'avif'],
    ['WebP first by weight', 'image/avif;q=0.5, image/webp;q=0.9', 'webp'],
    ['a tie', 'image/avif, image/webp', 'webp'],
    ['JPEG first by weight', 'image/jpeg, image/webp;q=0.9, image/avif;q=0.8', 'jpeg'],
    ['JPEG and WebP alike', 'image/jpeg, image/webp', 'webp'],
    ['WebP refused', 'image/webp;q=0, image/avif;q=0', 'jpeg'],
    ['spaces and capitals', ' Image/WebP ; Q=1 ', 'webp'],
    ['an invalid weight', 'image/webp;q=high', 'jpeg'],
    ['a weight above one', 'image/webp;q=7', 'jpeg'],
  ])('the format follows from the `Accept` header: %s', (_, accept, format) =>
    expect(chooseFormat(accept)).toBe(format),
  );
});
