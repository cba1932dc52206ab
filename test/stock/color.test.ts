/** Colours as they are asked for, and how near an image comes to one. */

import { colorNames } from '../../lambda/contract/request-bounds';
import { colorFitOf, hexOf, nearestColorName } from '../../lambda/stock/color';

describe('a colour', () => {
  it('has one value for each name, which is nearest to that name', () => {
    for (const name of colorNames) {
      expect(hexOf(name)).toMatch(/^[0-9a-f]{6}$/);
      expect(nearestColorName(hexOf(name))).toBe(name);
    }
    expect(hexOf('red')).toBe('dc1e28');
    expect(hexOf('0a0b0c')).toBe('0a0b0c');
  });

  it.each([
    ['f0a000', 'orange'],
    ['00ff00', 'green'],
    ['0000ff', 'blue'],
    ['7f7f7f', 'gray'],
  ])('%s is called %s', (color, name) => expect(nearestColorName(color)).toBe(name));

  it.each([
    ['the colour itself', { color: '#dc1e28' }, 1],
    ['one that is sixty away', { color: '#a01e28' }, 0.7],
    ['one that is far away', { color: '#00ff00' }, 0],
    ['its name in the title', { title: 'A red car' }, 1],
    ['its name in the alternative text', { alt: 'Something red' }, 1],
    ['its name in a tag', { tags: ['red'] }, 1],
    ['another name', { title: 'A blue car', tags: ['sky'] }, 0],
    // What is measured says more than what is said.
    ['another colour, and its name', { color: '#00ff00', title: 'Red' }, 0],
  ])('%s fits red', (_, description, fit) =>
    expect(colorFitOf({ rank: 1, ...description }, 'red')).toBeCloseTo(fit),
  );
});
