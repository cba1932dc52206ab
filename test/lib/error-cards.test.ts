/** The PNG cards: one for each code, small, and with a title that is drawn letter by letter. */

import sharp from 'sharp';
import { problems } from '../../lambda/problems/problem';
import { drawErrorCards } from '../../lib/error-cards';
import letters from '../../packages/scene/data/letters.json';

test('each code has a separate card of a few kilobytes', async () => {
  const cards = await drawErrorCards();
  expect(Object.keys(cards)).toEqual(Object.keys(problems));
  const bytes = Object.values(cards).map((card) => Buffer.from(card, 'base64'));
  for (const png of bytes) {
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 360, height: 240 });
    expect(png.byteLength).toBeLessThan(4_096);
  }
  expect(new Set(Object.values(cards)).size).toBe(bytes.length);
});

test('the PNG font has a glyph for every letter of every title and status', () => {
  const missing = Object.values(problems).flatMap(({ title, status }) =>
    [...`${title}${status}`].filter((letter) => !(letter in letters)),
  );
  expect(missing).toEqual([]);
});
