/** Tests the PNG cards: each code has a small one with its title. */

import sharp from 'sharp';
import { problems } from '../../lambda/problems/problem';
import { drawErrorCards } from '../../lib/error-cards';
import letters from '../../packages/scene/data/letters.json';

test('drawErrorCards draws a small card of its own for each code', async () => {
  const cards = await drawErrorCards();
  expect(Object.keys(cards)).toEqual(Object.keys(problems));
  const bytes = Object.values(cards).map((card) => Buffer.from(card, 'base64'));
  for (const png of bytes) {
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 360, height: 240 });
    expect(png.byteLength).toBeLessThan(4_096);
  }
  expect(new Set(Object.values(cards)).size).toBe(bytes.length);
});

test('the font has a glyph for each letter of each title and status', () => {
  const missing = Object.values(problems).flatMap(({ title, status }) =>
    [...`${title}${status}`].filter((letter) => !(letter in letters)),
  );
  expect(missing).toEqual([]);
});
