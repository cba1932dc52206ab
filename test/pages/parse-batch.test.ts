/** Tests the parser of batches: valid requests, or a fault for each wrong field. */

import fc from 'fast-check';
import { parseBatch } from '../../lambda/pages/parse-batch';

const image = { slot: 'hero', query: 'mountain lake' };
const pick = '0123456789abcdef0123';
const listFaultyFields = (body: unknown) => {
  const parsed = parseBatch(body);
  return 'refusal' in parsed ? parsed.refusal.faults.map(({ parameter }) => parameter) : [];
};

describe('parseBatch', () => {
  test('a batch is read as requests by slot', () => {
    const parsed = parseBatch({
      exclude: [pick],
      images: [
        { ...image, width: 600, height: 400, seed: 2 },
        { slot: 'b', query: 'x', provider: 'ai', style: 'dark', format: 'nonsense', api_key: 'x' },
      ],
    });
    expect(parsed).toMatchObject({
      exclude: [pick],
      entries: [
        {
          pageSlot: 'hero',
          request: { query: 'mountain lake', widthPx: 600, heightPx: 400, seed: '2', asJson: true },
        },
        { pageSlot: 'b', request: { source: 'ai', style: 'dark' } },
      ],
    });
  });

  test.each([
    ['without publish', {}],
    ['with publish false', { publish: false }],
    ['with a signer', { publish: 'sg_live_0123456789ab' }],
  ])('a batch %s is published as it says', (_, order) => {
    const parsed = parseBatch({ ...order, images: [image] });
    expect(parsed).toMatchObject({ publish: undefined, ...order });
  });

  test.each<[string, unknown, readonly string[]]>([
    ['no object', [], ['body']],
    ['publishing by a number', { publish: 1, images: [image] }, ['publish']],
    [
      'an excluded text that is no pick, and a fault of an image',
      { exclude: [pick, 'lake', pick.toUpperCase(), `${pick}0`, 7], images: [{ slot: 'a' }] },
      ['exclude[1]', 'exclude[2]', 'exclude[3]', 'exclude[4]', 'images[0].query'],
    ],
    ['201 picks excluded', { exclude: Array(201).fill(pick), images: [image] }, ['exclude']],
    ['a text that is excluded', { exclude: pick, images: [image] }, ['exclude']],
    ['no images', {}, ['images']],
    ['an empty list', { images: [] }, ['images']],
    ['25 images', { images: Array.from({ length: 25 }, (_, i) => ({ ...image, slot: `${i}` })) }, ['images']],
    ['an image that is no object', { images: [image, 'x'] }, ['images[1]']],
    [
      'a width out of bounds',
      { images: [image, image, image, { ...image, width: 99 }] },
      ['images[3].width', 'images[1].slot', 'images[2].slot', 'images[3].slot'],
    ],
    ['an empty name', { images: [{ ...image, slot: '' }] }, ['images[0].slot']],
    ['a slot twice', { images: [image, image] }, ['images[1].slot']],
    ['a missing slot and query', { images: [{}] }, ['images[0].slot', 'images[0].query']],
    ['a width that is a list', { images: [{ ...image, width: [600] }] }, ['images[0].width']],
    [
      'numbers as text',
      { images: [{ ...image, width: '600', height: '400' }] },
      ['images[0].width', 'images[0].height'],
    ],
    [
      'a text as a number',
      { images: [{ ...image, query: 7, style: 1 }] },
      ['images[0].query', 'images[0].style'],
    ],
    ['a fractional width', { images: [{ ...image, width: 600.5 }] }, ['images[0].width']],
    ['a long name', { images: [{ ...image, slot: '🏔'.repeat(65) }] }, ['images[0].slot']],
    ['a broken character', { images: [{ ...image, slot: 'a\udfd4' }] }, ['images[0].slot']],
    ['a control character', { images: [{ ...image, slot: '\u0000' }] }, ['images[0].slot']],
    [
      'variation and alt',
      { images: [{ ...image, provider: 'ai', variation: 1, alt: 1 }] },
      ['images[0].variation', 'images[0].alt'],
    ],
  ])('a batch with %s is refused with the names of the faults', (_, body, faults) => {
    expect(listFaultyFields(body)).toEqual(faults);
  });

  test('a batch is refused as conflicting_parameters if all its faults are conflicts', () => {
    const contradiction = { ...image, provider: 'ai', variation: 1, alt: 1 };
    const findCode = (images: readonly object[]) => {
      const parsed = parseBatch({ images });
      return 'refusal' in parsed ? parsed.refusal.code : undefined;
    };
    expect(findCode([contradiction])).toBe('conflicting_parameters');
    expect(findCode([contradiction, { ...image, slot: 'b', width: 1 }])).toBe('invalid_parameter');
  });

  test('an image whose fields are ignored has a note', () => {
    const findNote = (fields: object) => {
      const parsed = parseBatch({ images: [{ ...image, ...fields }] });
      return 'entries' in parsed ? parsed.entries[0]?.note : undefined;
    };
    expect(findNote({ seed: 2 })).toBeUndefined();
    expect(findNote({ style: null })).toBeUndefined();
    expect(findNote({ style: 'dark' })).toContain('style');
    expect(findNote({ style: 'dark', onmiss: 'ai' })).toBeUndefined();
    expect(findNote({ provider: 'ai', style: 'dark' })).toBeUndefined();
    expect(findNote({ provider: 'ai', seed: 2 })).toContain('seed');
    expect(findNote({ wdith: 600 })).toContain('wdith');
  });

  test('a batch takes 24 images with long names and 200 excluded picks', () => {
    const name = '🏔'.repeat(62);
    const images = Array.from({ length: 24 }, (_, i) => ({ ...image, slot: `${name}${10 + i}` }));
    expect(listFaultyFields({ exclude: Array(200).fill(pick), images })).toEqual([]);
  });

  test('a batch may name a slot as a property that every object has', () => {
    const images = ['__proto__', 'constructor'].map((slot) => ({ ...image, slot }));
    expect(listFaultyFields({ images })).toEqual([]);
  });
});

test('any JSON is a batch, or is refused with the names of its faults', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('lake', 'ai', 800, 'stock_a', '__proto__'),
  );
  const entry = fc.dictionary(
    fc.oneof(fc.constantFrom('slot', 'query', 'width', 'height', 'pick'), fc.string()),
    value,
  );
  const body = fc.oneof(
    value,
    fc.record(
      { images: fc.oneof(value, fc.array(entry, { maxLength: 30 })), page: value },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(body, (batchBody) => {
      const parsed = parseBatch(batchBody);
      if ('refusal' in parsed) expect(listFaultyFields(batchBody)).not.toEqual([]);
      else expect(parsed.entries).not.toEqual([]);
    }),
  );
});
