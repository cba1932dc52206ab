/** The sizes that a URL signed with `upto` may have. */

import { computeHeightBelow } from '../../lambda/requests/sizes';

test.each<[string, string | undefined, string | undefined, string]>([
  ['1600x900', '640', undefined, '360'],
  ['1600x900', '640', '361', '361'],
  ['1600x900', '640', '359', '359'],
  ['1600x900', '1600', undefined, '900'],
  ['1000x333', '640', undefined, '213'],
  ['1000x333', '828', undefined, '276'],
])('upto=%s with the width %s and the height %s has the height %s', (upto, width, height, expected) =>
  expect(computeHeightBelow(upto, { width, height })).toEqual({ height: expected }),
);

const widths = 'one of 256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600';
test.each<[string, string | undefined, string | undefined, string, string]>([
  ['1600x900', undefined, undefined, 'width', `with upto=1600x900, required: ${widths}`],
  ['1600x900', '641', undefined, 'width', `with upto=1600x900, required: ${widths}`],
  ['1600x900', '6.4e2', undefined, 'width', `with upto=1600x900, required: ${widths}`],
  ['1600x900', '640', '362', 'height', 'with upto=1600x900 and width=640, 360 or one pixel more or less'],
  [
    '120x4000',
    '120',
    undefined,
    'upto',
    'a size that holds one of the widths 128, 256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600, 1668, 1920, 2048, 2560, 3200, 3840 with a height from 100 to 4000',
  ],
  ['4000x100', '3840', undefined, 'upto', expect.any(String) as never],
])(
  'upto=%s with the width %s and the height %s is refused by %s',
  (upto, width, height, parameter, bounds) => {
    expect(computeHeightBelow(upto, { width, height })).toEqual({ parameter, bounds });
  },
);
