/** Particulars of Pixabay: no hotlinks, its key in the URL, errors as plain text. */

import { understand } from '../../../lambda/stock/understand';
import fixture from './answers/pixabay.json';
import { never, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

describe('the Pixabay adapter', () => {
  let pixabay: ScriptedProvider;
  beforeAll(async () => {
    pixabay = await startScriptedProvider('pixabay');
  });
  afterAll(() => pixabay?.server.stop());

  const [hit] = fixture.search.hits;
  const search = async (hits: unknown[], words = 'flowers') => {
    pixabay.answer({ body: { ...fixture.search, hits } });
    return pixabay.provider.search({ subject: understand(words), orientation: 'landscape' }, never);
  };
  const placed = async (change: object, widthPx: number, heightPx: number) => {
    const [candidate] = await search([{ ...hit, ...change }]);
    return candidate && pixabay.provider.sourceFor(candidate, { widthPx, heightPx });
  };

  it('fetches the smallest rendition that covers the size, and redirects to none', async () => {
    expect(await placed({}, 640, 360)).toEqual({ kind: 'fetch', url: hit?.webformatURL });
    expect(await placed({}, 641, 360)).toEqual({ kind: 'fetch', url: hit?.largeImageURL });
    expect(await placed({}, 2_560, 1_440)).toEqual({ kind: 'fetch', url: hit?.largeImageURL });
    const { fullHDURL, imageURL } = fixture.fullAccess;
    expect(await placed(fixture.fullAccess, 1_281, 100)).toEqual({ kind: 'fetch', url: fullHDURL });
    expect(await placed(fixture.fullAccess, 1_921, 100)).toEqual({ kind: 'fetch', url: imageURL });
  });

  it('has new URLs asked for after a day, as they expire then', () => {
    expect(pixabay.provider.capability.urlsLastForMs).toBe(86_400_000);
  });

  it('cuts a long query at a word', async () => {
    await search([hit], `${'mountain '.repeat(11)}lakes`);
    expect(pixabay.asked.at(-1)?.url.searchParams.get('q')).toBe('mountain '.repeat(11).trim());
  });

  it('skips AI images, low quality and adult content', async () => {
    const kept = await search([
      { ...hit, id: 1, isAiGenerated: true },
      { ...hit, id: 2, isLowQuality: true },
      { ...hit, id: 3, isGRated: false },
      { ...hit, id: 4, isGRated: undefined },
    ]);
    expect(kept.map(({ id }) => id)).toEqual(['4']);
  });

  it.each([
    [{}, 'https://pixabay.com/users/tuva_holm-48777/', 'Image by tuva_holm from Pixabay'],
    [
      { user: 'tuva holm' },
      'https://pixabay.com/users/tuva%20holm-48777/',
      'Image by tuva holm from Pixabay',
    ],
    [{ userURL: 'https://pixabay.com/u/1' }, 'https://pixabay.com/u/1', 'Image by tuva_holm from Pixabay'],
    [{ user_id: null }, undefined, 'Image by tuva_holm from Pixabay'],
    [{ user: ' ' }, undefined, 'Image from Pixabay'],
  ])('with %j links to the profile %s, and credits "%s"', async (change, creatorUrl, creditLine) => {
    const [candidate] = await search([{ ...hit, ...change }]);
    expect(candidate?.attribution.creatorUrl).toBe(creatorUrl);
    expect(candidate?.attribution.creditLine).toBe(creditLine);
  });

  it('keeps the tags of an image, and none without a size', async () => {
    const [candidate, ...others] = await search([
      { ...hit, imageWidth: 0 },
      { ...hit, imageHeight: null },
      hit,
    ]);
    expect(candidate?.description).toMatchObject({ rank: 3, tags: ['blossom', 'bloom', 'flower'] });
    expect(others).toEqual([]);
  });

  it('takes an id that it refuses for an image that is gone, unless its key is refused', async () => {
    pixabay.answer({ status: 400, body: '[ERROR 400] "id" is out of valid range.' });
    expect(await pixabay.provider.byId?.('1', never)).toBeUndefined();
    expect(Object.fromEntries(pixabay.asked.at(-1)?.url.searchParams ?? [])).toEqual({
      key: 'the-key',
      id: '1',
    });
    pixabay.answer({ status: 400, body: fixture.badKey });
    await expect(pixabay.provider.byId?.('1', never)).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  it('reads its refusals, which are text', async () => {
    expect((await pixabay.failureOf({ status: 400, body: fixture.badKey })).kind).toBe('unauthorized');
    expect((await pixabay.failureOf({ status: 400, body: fixture.badPage })).kind).toBe('rejected');
    const limited = { status: 429, headers: { 'x-ratelimit-reset': '42' }, body: fixture.rateLimit };
    expect(await pixabay.failureOf(limited)).toMatchObject({ kind: 'throttled', retryAfterMs: 42_000 });
    const unsaid = { status: 429, body: fixture.rateLimit };
    expect(await pixabay.failureOf(unsaid)).toMatchObject({ kind: 'throttled', retryAfterMs: undefined });
  });

  it('never includes the URL, which contains the key, in an error', async () => {
    const reset = { status: 302, headers: { location: '/elsewhere?key=the-key' }, body: '' };
    for (const script of [reset, { status: 400, body: 'the-key' }, { status: 200, body: 'the-key' }]) {
      const { message, stack, cause } = await pixabay.failureOf(script);
      expect(JSON.stringify([message, stack, cause])).not.toContain('the-key');
    }
  });
});
