/** The scenes of the sandbox. */

import { createSandbox } from '../../../lambda/stock/providers/sandbox';
import { decideFit } from '../../../lambda/stock/search/rank';
import { parseSubject } from '../../../lambda/stock/subject';
import { neverAborted } from './scripted-provider';

const sandbox = createSandbox();
const search = (words: string) =>
  sandbox.search({ subject: parseSubject(words), orientation: 'landscape' }, neverAborted);
const size = { widthPx: 1_920, heightPx: 1_080 };

test('the same words always get the same eight scenes from the sandbox', async () => {
  const scenes = await search('mountain lake');
  expect(new Set(scenes.map(({ id }) => id)).size).toBe(8);
  expect(await search('mountain lake')).toEqual(scenes);
});

test('the sandbox draws a scene only from its words and seed', async () => {
  const sources = (await search('lake')).map((scene) => sandbox.offerImage(scene, size));
  expect(sources.every((source) => source?.kind === 'drawing' && source.words === 'lake')).toBe(true);
  expect(new Set(sources.map((source) => JSON.stringify(source))).size).toBe(8);
});

test.each([
  ['dentist', 'Drawing: dentist', 'exact'],
  ['praia', 'Drawing: beach with umbrella', 'exact'],
  ['woman working on her laptop', 'Drawing: woman, laptop', 'partial'],
  ['cat with a quixotic disposition', 'Drawing: cat', 'partial'],
  ['quixotic', 'Drawing of the words “quixotic”', 'loose'],
  ['q'.repeat(81), `Drawing of the words “${'q'.repeat(80)}”`, 'loose'],
])('the drawing of %j has the text %j and the fit %s', async (words, alt, fit) => {
  const [scene] = await search(words);
  expect(scene?.description.alt).toBe(alt);
  expect(scene && decideFit(scene, parseSubject(words))).toBe(fit);
});
