/** Particulars of Pexels: a bare key, its own crop parameters, and a reset time that refusals omit. */

import { understand } from '../../../lambda/stock/understand';
import fixture from './answers/pexels.json';
import { never, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

const nowMs = 1_796_000_000_000;

describe('the Pexels adapter', () => {
  let pexels: ScriptedProvider;
  beforeEach(async () => {
    pexels = await startScriptedProvider('pexels', { nowMs: () => nowMs });
  });
  afterEach(() => pexels?.server.stop());

  const search = async (body: unknown, headers = {}) => {
    pexels.answer({ body, headers });
    return pexels.provider.search({ subject: understand('lake'), orientation: 'landscape' }, never);
  };

  it('redirects to the photo itself in exactly the size', async () => {
    const [candidate] = await search(fixture.search);
    expect(candidate && pexels.provider.sourceFor(candidate, { widthPx: 1_080, heightPx: 1_350 })).toEqual({
      kind: 'hotlink',
      url: 'https://images.pexels.com/photos/1619317/pexels-photo-1619317.jpeg?auto=compress&cs=tinysrgb&fit=crop&w=1080&h=1350',
    });
    expect(candidate?.attribution).toEqual({
      providerName: 'Pexels',
      creator: 'Ilja Sandvik',
      creatorUrl: 'https://www.pexels.com/@iljasandvik',
      landingUrl: 'https://www.pexels.com/photo/red-canoes-on-sea-dock-near-calm-body-of-water-1619317/',
      license: { id: 'pexels', name: 'Pexels License', url: 'https://www.pexels.com/license/' },
      creditLine: 'Photo by Ilja Sandvik on Pexels',
    });
  });

  const whole =
    'https://images.pexels.com/photos/1619317/pexels-photo-1619317.jpeg?auto=compress&cs=tinysrgb';
  it.each([
    ['top', 1_080, 1_350, `${whole}&w=2033&h=1350`],
    ['left', 6_400, 100, `${whole}&w=3200&h=2125`],
    ['attention', 1_080, 1_350, `${whole}&fit=crop&w=1080&h=1350`],
  ] as const)(
    'crops crop=%s to %i × %i out of the whole photo where that is not in the middle, no larger than needed',
    async (crop, widthPx, heightPx, url) => {
      const [found] = await search(fixture.search);
      expect(found && pexels.provider.sourceFor(found, { widthPx, heightPx }, crop)).toMatchObject({ url });
    },
  );

  it('leaves the crop of a photo whose size is not known to its servers', async () => {
    const [found] = await search({ photos: [{ ...fixture.minimal, width: null }] });
    const size = { widthPx: 100, heightPx: 100 };
    expect(found && pexels.provider.sourceFor(found, size, 'top')).toMatchObject({ kind: 'hotlink' });
  });

  it('keeps the text and the colour of a photo, and credits Pexels where nobody is named', async () => {
    const [photo] = fixture.search.photos;
    const [named, unnamed] = await search({ photos: [photo, { ...photo, photographer: '' }] });
    expect(named?.description).toMatchObject({ rank: 1, alt: photo?.alt, lang: 'en', color: '#5c575e' });
    expect(unnamed).toMatchObject({
      attribution: { creditLine: 'Photo on Pexels' },
      description: { rank: 2 },
    });
    expect(unnamed?.attribution).not.toHaveProperty('creator');
  });

  it('sends the key alone, without a scheme', async () => {
    await search(fixture.search);
    expect(pexels.asked[0]?.headers).toMatchObject({ authorization: 'the-key' });
  });

  it('takes an older record, which lacks some fields', async () => {
    const [candidate] = await search({ photos: [fixture.minimal] });
    expect(candidate).toMatchObject({ id: '1388030', widthPx: 6_109 });
  });

  it('backs off until the time in the last successful response', async () => {
    await search(fixture.search, { 'x-ratelimit-reset': String(nowMs / 1_000 + 90) });
    expect(await pexels.failureOf({ status: 429, body: '' })).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 90_000,
    });
  });

  it('does not invent a moment when none was named, or it has passed', async () => {
    expect(await pexels.failureOf({ status: 429, body: '' })).toMatchObject({ retryAfterMs: undefined });
    await search(fixture.search, { 'x-ratelimit-reset': String(nowMs / 1_000 - 1) });
    expect(await pexels.failureOf({ status: 429, body: '' })).toMatchObject({ retryAfterMs: undefined });
    await search(fixture.search, { 'x-ratelimit-reset': String(nowMs / 1_000 + 90) });
    expect(await pexels.failureOf({ status: 500, body: '' })).toMatchObject({ kind: 'unavailable' });
  });
});
