/** Names of colours, and how near an image is to a colour. */

import { colorNames } from '../../lambda/contract/request-bounds';
import { findNearestColorName, measureColorFit } from '../../lambda/stock/color';

test('each named colour is nearest to itself', () =>
  expect(colorNames.map(findNearestColorName)).toEqual([...colorNames]));

test.each([
  ['dc1e28', 'red'],
  ['f0a000', 'orange'],
  ['00ff00', 'green'],
  ['0000ff', 'blue'],
  ['7f7f7f', 'gray'],
])('the colour %s is called %s', (color, name) => expect(findNearestColorName(color)).toBe(name));

test.each([
  ['the colour itself', { color: '#dc1e28' }, 1],
  ['one that is sixty away', { color: '#a01e28' }, 0.7],
  ['one that is far away', { color: '#00ff00' }, 0],
  ['its name in the title', { title: 'A red car' }, 1],
  ['its name in the alternative text', { alt: 'Something red' }, 1],
  ['its name in a tag', { tags: ['red'] }, 1],
  ['another name', { title: 'A blue car', tags: ['sky'] }, 0],
  // The average colour counts more than the texts.
  ['another colour, and its name', { color: '#00ff00', title: 'Red' }, 0],
])('the colour %s fits red', (_, description, fit) =>
  expect(measureColorFit({ rank: 1, ...description }, 'red')).toBeCloseTo(fit),
);
