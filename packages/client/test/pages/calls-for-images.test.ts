/** Tests the calls by which the images of a page are found. */

import { type FindImages, fillHtml } from '../../src/pages/fill-html';
import { createFakeService, makePick } from './fake-service';
import { box, fill, mug } from './filled';

const three = ['Mug', 'Cup', 'Pot'].map((alt) => `<img src="${box}" alt="${alt}">`).join('');

test.each([
  ['no_image_found', 'no_image_found', 0],
  ['content_refused', 'no_image_found', 0],
  ['image_removed', 'no_image_found', 0],
  ['credential_not_allowed', 'no_image_found', 0],
  ['quota_exceeded', 'quota_exceeded', 1],
  ['rate_limited', 'quota_exceeded', 1],
  ['generation_in_progress', 'generation_in_progress', 1],
  ['upstream_unavailable', 'generation_in_progress', 1],
] as const)('if the service answers %s, fillHtml leaves the image as %s', async (code, reason, left) => {
  const filled = await fill(three, {}, createFakeService({ problems: { Cup: code } }));
  const rowsOf = filled.report.map((row) => `${row.outcome} ${row.reason}`);
  expect(rowsOf).toEqual(['filled placeholder', `left ${reason}`, 'filled placeholder']);
  expect(filled.left).toBe(left);
  expect(filled.html).toContain(`<img src="${box}" alt="Cup">`);
});

test('fillHtml leaves all sources of a picture without an image', async () => {
  const page = `<picture><source srcset="https://picsum.photos/600/800"><img src="${box}" alt="Cup"></picture>`;
  const { report, left } = await fill(page, {}, createFakeService({ problems: { Cup: 'no_image_found' } }));
  expect([report.map(({ reason }) => reason), left]).toEqual([['no_image_found', 'no_image_found'], 0]);
});

test('if a query has too few images, fillHtml repeats them in their order', async () => {
  const page = Array(7).fill(mug).join('');
  const { report, calls } = await fill(page, {}, createFakeService({ candidates: 3 }));
  expect(report.map(({ pick }) => pick)).toEqual([1, 2, 3, 1, 2, 3, 1].map(makePick));
  expect(report.map(({ note }) => Number(note !== undefined)).join('')).toBe('0001111');
  expect(calls.map(({ size }) => size)).toEqual([7, 3, 1]);
  const loose = await fill(mug, {}, createFakeService({ recordFields: { fit: 'loose' } }));
  expect(loose.report).toMatchObject([{ outcome: 'filled', note: 'No photo fits all the words.' }]);
});

test('if no other image fits, fillHtml repeats one that the page shows', async () => {
  const ours = `https://img.service.test/api/image?pick=${makePick(9)}`;
  const page = `<img src="${ours}" data-image-filled="A blue mug"><p style="background:url(${ours})">${mug}`;
  const { report } = await fill(page, {}, createFakeService({ candidates: 0 }));
  expect(report.at(-1)).toMatchObject({ outcome: 'filled', pick: makePick(9) });
});

test('a call of fillHtml asks for at most 24 images and excludes those shown', async () => {
  const ours = `<img src="https://img.service.test/api/image?pick=${makePick(99)}" alt="Own">`;
  const thirty = [...'abcdefghijklmnopqrstuvwxyzäöüß'].map((i) => `<img src="${box}" alt="Mug ${i}x">`);
  const { calls } = await fill(ours + thirty.join(''));
  expect(calls.map(({ size, exclude }) => `${size} ${exclude.length}`)).toEqual(['24 1', '6 25']);
  expect(calls[0]?.exclude).toEqual([makePick(99)]);
});

test('a call of fillHtml excludes the last 200 images of the page', async () => {
  const shownPicks = Array.from({ length: 201 }, (_, i) => makePick(1_000 + i));
  const ours = shownPicks.map(
    (pick) => `<img src="https://img.service.test/api/image?pick=${pick}" alt="Own">`,
  );
  const { calls } = await fill(ours.join('') + mug);
  expect(calls[0]?.exclude).toEqual(shownPicks.slice(1));
});

test('a second call of fillHtml passes over images that the first did not find', async () => {
  const options = { imagesMax: 2 };
  const createServiceWithoutMug = () => createFakeService({ problems: { Mug: 'no_image_found' } });
  const first = await fill(three + three, options, createServiceWithoutMug());
  const outcomes = first.report.map(({ outcome }) => outcome).join(' ');
  expect(outcomes).toBe('left filled filled left left left');
  expect(first.left).toBe(2);
  const second = await fill(first.html, options, createServiceWithoutMug());
  expect(second.left).toBe(0);
});

test('if the first call is refused, fillHtml rejects', async () => {
  const find = () => Promise.reject(new Error('refused'));
  await expect(fillHtml(mug, find)).rejects.toThrow('refused');
});

test.each<readonly [name: string, refused: () => Promise<undefined>]>([
  ['is refused', () => Promise.reject(new Error('refused'))],
  ['has no answer', () => Promise.resolve(undefined)],
])('if a later call %s, fillHtml keeps what it has found', async (_name, refused) => {
  const service = createFakeService();
  let calls = 0;
  const find: FindImages = (batch) => (calls++ === 0 ? service.find(batch) : refused());
  expect([(await fillHtml(mug.repeat(50), find)).left, calls]).toEqual([26, 2]);
});

test('if the quota is used up, fillHtml makes no further call', async () => {
  const page = Array.from({ length: 50 }, () => mug).join('');
  const spent = await fill(page, {}, createFakeService({ problems: { 'A blue mug': 'quota_exceeded' } }));
  expect(spent.calls).toHaveLength(1);
  expect(spent.report.every(({ reason }) => reason === 'quota_exceeded')).toBe(true);
});
