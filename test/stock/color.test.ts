/** Colours as they are asked for, and how near an image comes to one. */

import { colorNames } from '../../lambda/contract/request-bounds';
import { findNearestColorName, measureColorFit } from '../../lambda/stock/color';

test('each name of a colour is nearest to the colour of that name', () =>
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
  // What is measured says more than what is said.
  ['another colour, and its name', { color: '#00ff00', title: 'Red' }, 0],
])('the colour %s fits red', (_, description, fit) =>
  expect(measureColorFit({ rank: 1, ...description }, 'red')).toBeCloseTo(fit),
);
