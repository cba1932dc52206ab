/** The built-in scenes are many, distinct and deterministic. */

import { createSandbox } from '../../../lambda/adapters/stock/sandbox';
import { never } from './scripted-provider';

describe('the sandbox', () => {
  const sandbox = createSandbox();
  const search = (words: string) => sandbox.search({ words, orientation: 'landscape' }, never);
  const size = { widthPx: 1_920, heightPx: 1_080 };

  it('has eight different scenes for any words, and the same ones again', async () => {
    const scenes = await search('mountain lake');
    expect(new Set(scenes.map(({ id }) => id)).size).toBe(8);
    expect(await search('mountain lake')).toEqual(scenes);
  });

  it('shares no scene between different words, as scenes are stored by their id', async () => {
    const ids = (await Promise.all(['lake', 'sea', 'old town'].map(search))).flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(24);
  });

  it('has each drawn from the words and a seed of its own', async () => {
    const placements = (await search('lake')).map((scene) => sandbox.place(scene, size));
    expect(placements.every((placement) => placement?.kind === 'draw' && placement.words === 'lake')).toBe(
      true,
    );
    expect(new Set(placements.map((placement) => JSON.stringify(placement))).size).toBe(8);
  });

  it('names no host at all', () => {
    expect(sandbox.capability.allowedHosts).toEqual([]);
  });
});
