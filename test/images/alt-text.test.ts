/** Alternative texts are the provider's texts without the parts of file names. */

import fc from 'fast-check';
import { altCharactersMax } from '../../lambda/contract/request-bounds';
import { chooseAltText, chooseServedTexts, cleanTitle } from '../../lambda/images/alt-text';
import { codePoint } from '../fakes/code-point';

describe('chooseAltText', () => {
  test('the alternative text is the provider’s, else the title, else the tags', () => {
    expect(chooseAltText({ alt: 'a red fox', title: 'Fox', tags: ['animal'] })).toBe('a red fox');
    expect(chooseAltText({ alt: '.jpg', title: 'Fox', tags: ['animal'] })).toBe('Fox');
    expect(chooseAltText({ tags: ['fox', 'snow'] })).toBe('fox, snow');
    expect(chooseAltText({})).toBeUndefined();
  });

  test.each([
    ...['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif', 'tif', 'tiff', 'svg', 'bmp', 'JPG'].map(
      (ending): [string, string] => [`Lake.${ending}`, 'Lake'],
    ),
    ...['IMG', 'DSC', 'DSCF', 'DSCN', 'PXL', 'P100', 'MG', 'GOPR', 'DJI', 'WP', 'VID', 'IMGP', '_MG_'].map(
      (camera): [string, string] => [`Lake ${camera}0042 at dusk`, 'Lake at dusk'],
    ),
    ['Lake.doc', 'Lake.doc'],
    ['img 2041 lake', 'img 2041 lake'],
    ['Lake 12345', 'Lake'],
    ['Lake - 12345', 'Lake'],
    ['Lake 12345 at dusk', 'Lake 12345 at dusk'],
    [`Lake ${'1'.repeat(20)}`, 'Lake'],
    ['File:Lake_Louise.JPG', 'Lake Louise'],
    ['Berlin 1989', 'Berlin 1989'],
    ['file: red fox (12345678).tiff', 'red fox'],
    ['Coast at dusk DJI-0042', 'Coast at dusk'],
    ['IMG 12', 'IMG 12'],
    ['IMG 0001', undefined],
    ...['Nikon P 1000 camera', 'Nikon P1000', 'Sony WP 2026', 'A red MG 300'].map(
      (name): [string, string] => [name, name],
    ),
    ['山の湖.webp', '山の湖'],
    ['DSC_0042.JPG', undefined],
    ['   ', undefined],
  ])('the alternative text of %j is %j', (text, expected) => {
    expect(cleanTitle(text)).toBe(expected);
  });

  test('an alternative text has at most 125 characters and no control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 400 }), (text) => {
        const alt = cleanTitle(text) ?? '';
        expect([...alt].length).toBeLessThanOrEqual(altCharactersMax);
        expect(alt).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

test.each([
  [
    'all of them',
    { alt: 'a red fox', title: 'Red_fox.jpg', color: '#aa3311' },
    { alt: 'a red fox', title: 'Red fox', color: '#aa3311' },
  ],
  ['a file name', { title: 'IMG_2041.jpg' }, {}],
  ['a language', { alt: 'ein Fuchs', lang: 'de' }, { alt: 'ein Fuchs', altLang: 'de' }],
  ['an alternative text', { alt: 'a red fox' }, { alt: 'a red fox' }],
  ['tags', { tags: ['fox'], lang: 'en' }, { alt: 'fox', altLang: 'en' }],
  ['a file name and a colour', { alt: 'IMG_2041.jpg', lang: 'en', color: '#aa3311' }, { color: '#aa3311' }],
])('the texts of a provider with %s are cleaned', (_, description, texts) => {
  expect(chooseServedTexts({ rank: 1, ...description })).toEqual(texts);
});
