/** The sizes that a URL signed with `upto` may have. */

import { readHeightBelow } from '../../lambda/requests/sizes';

test.each<[string, { width?: string; height?: string }, string]>([
  ['1600x900', { width: '640' }, '360'],
  ['1600x900', { width: '640', height: '361' }, '361'],
  ['1600x900', { width: '640', height: '359' }, '359'],
  ['1600x900', { width: '1600' }, '900'],
  ['1000x333', { width: '640' }, '213'],
  ['1000x333', { width: '828' }, '276'],
])('upto=%s admits the sides %j', (upto, size, height) =>
  expect(readHeightBelow(upto, size)).toEqual({ height }),
);

const widths = 'one of 256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600';
test.each<[string, { width?: string; height?: string }, string, string]>([
  ['1600x900', {}, 'width', `with upto=1600x900, required: ${widths}`],
  ['1600x900', { width: '641' }, 'width', `with upto=1600x900, required: ${widths}`],
  ['1600x900', { width: '6.4e2' }, 'width', `with upto=1600x900, required: ${widths}`],
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
])('upto=%s refuses the sides %j: %s', (upto, size, parameter, bounds) => {
  expect(readHeightBelow(upto, size)).toEqual({ parameter, bounds });
});
