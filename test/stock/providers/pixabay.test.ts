/** Particulars of Pixabay: no hotlinks, its key in the URL, errors as plain text. */

import { understand } from '../../../lambda/stock/understand';
import fixture from '../../../local/fake-providers/fixtures/pixabay.json';
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

  it('places nothing that would be enlarged more than three times', async () => {
    expect(await placed({}, 3_841, 2_160)).toBeUndefined();
    expect(await placed({}, 4_000, 4_000)).toBeUndefined();
  });

  it('caches responses for a day, empty ones too, and no longer, because their URLs expire then', () => {
    const { freshForMs, emptyFreshForMs, staleForMs } = pixabay.provider.capability;
    expect([freshForMs, emptyFreshForMs, staleForMs]).toEqual([86_400_000, 86_400_000, 0]);
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

  it('credits the photographer with a link to the profile', async () => {
    const [candidate] = await search([hit]);
    expect(candidate?.attribution).toMatchObject({
      creator: 'tuva_holm',
      creatorUrl: 'https://pixabay.com/users/tuva_holm-48777/',
      creditLine: 'Image by tuva_holm from Pixabay',
    });
  });

  it('reads its refusals, which are text', async () => {
    expect((await pixabay.failureOf({ status: 400, body: fixture.badKey })).kind).toBe('unauthorized');
    expect((await pixabay.failureOf({ status: 400, body: fixture.badPage })).kind).toBe('rejected');
    const limited = { status: 429, headers: { 'x-ratelimit-reset': '42' }, body: fixture.rateLimit };
    expect(await pixabay.failureOf(limited)).toMatchObject({ kind: 'throttled', retryAfterMs: 42_000 });
  });

  it('never includes the URL, which contains the key, in an error', async () => {
    const reset = { status: 302, headers: { location: '/elsewhere?key=the-key' }, body: '' };
    for (const script of [reset, { status: 400, body: 'the-key' }, { status: 200, body: 'the-key' }]) {
      const { message, stack, cause } = await pixabay.failureOf(script);
      expect(JSON.stringify([message, stack, cause])).not.toContain('the-key');
    }
  });
});
