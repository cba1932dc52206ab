/** The sizes that a URL signed with `upto` may have. */

import { heightBelow, readUpto, sizeBelow } from '../../lambda/requests/size-below';

test('the height keeps the ratio that was signed, rounded to a pixel', () => {
  expect(readUpto('1600x900')).toEqual({ widthPx: 1600, heightPx: 900 });
  expect([128, 640, 1600].map((widthPx) => heightBelow(readUpto('1600x900'), widthPx))).toEqual([
    72, 360, 900,
  ]);
});

test.each<[string, { width?: string; height?: string }, object]>([
  ['1600x900', { width: '640' }, { width: '640', height: '360' }],
  ['1600x900', { width: '640', height: '361' }, { width: '640', height: '361' }],
  ['1600x900', { width: '640', height: '359' }, { width: '640', height: '359' }],
  ['1600x900', { width: '1600' }, { width: '1600', height: '900' }],
  // The smallest height of an image is 100 pixels, which 178 pixels would have.
  ['1600x900', { width: '256' }, { width: '256', height: '144' }],
])('%s admits %j', (upto, size, sides) => {
  expect(sizeBelow(upto, size)).toEqual(sides);
});

const widths = 'one of 256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600';
test.each<[string, { width?: string; height?: string }, string, string]>([
  ['1600x900', {}, 'width', `with upto=1600x900, required: ${widths}`],
  ['1600x900', { width: '641' }, 'width', `with upto=1600x900, required: ${widths}`],
  [
    '1600x900',
    { width: '640', height: '362' },
    'height',
    'with upto=1600x900 and width=640, 360 or one pixel more or less',
  ],
  [
    '120x4000',
    { width: '120' },
    'upto',
    'a size that holds one of the widths 128, 256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600, 1668, 1920, 2048, 2560, 3200, 3840 with a height from 100 to 4000',
  ],
  ['4000x100', { width: '3840' }, 'upto', expect.any(String) as never],
])('%s refuses %j: %s', (upto, size, parameter, bounds) => {
  expect(sizeBelow(upto, size)).toEqual({ parameter, bounds });
});
