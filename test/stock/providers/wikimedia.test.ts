/** Particulars of Wikimedia Commons: thumbnail widths, licences by name, HTML in names, errors with status 200. */

import { stepUrl } from '../../../lambda/stock/providers/wire/commons';
import { understand } from '../../../lambda/stock/understand';
import fixture from './answers/wikimedia.json';
import { never, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

const [page] = fixture.search.query.pages;
const [info] = page?.imageinfo ?? [];

describe('the Wikimedia adapter', () => {
  let wikimedia: ScriptedProvider;
  beforeAll(async () => {
    wikimedia = await startScriptedProvider('wikimedia');
  });
  afterAll(() => wikimedia?.server.stop());

  const search = async (body: unknown, words = 'meadow') => {
    wikimedia.answer({ body });
    return wikimedia.provider.search(
      { subject: understand(words), orientation: 'landscape' },
      never,
      async () => true,
    );
  };
  const withInfo = (...changes: object[]) => ({
    query: {
      pages: changes.map((change, index) => ({
        ...page,
        pageid: index + 1,
        index: index + 1,
        imageinfo: [{ ...info, ...change }],
      })),
    },
  });
  const meta = (values: Record<string, string>) => ({
    extmetadata: {
      ...info?.extmetadata,
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    },
  });

  it('credits author, licence and page, as plain text', async () => {
    const [candidate] = await search(fixture.search);
    expect(candidate?.attribution).toEqual({
      providerName: 'Wikimedia Commons',
      creator: 'Runa Teig',
      landingUrl: 'https://commons.wikimedia.org/wiki/File:Meadow.jpg',
      license: {
        id: 'cc-by-sa-4.0',
        name: 'CC BY-SA 4.0',
        url: 'https://creativecommons.org/licenses/by-sa/4.0',
      },
      creditLine: '“Meadow” by Runa Teig, CC BY-SA 4.0, via Wikimedia Commons',
    });
  });

  it('reads the older form of the answer, where pages are an object', async () => {
    const [candidate] = await search({ query: { pages: { 7: { ...page, pageid: 7 } } } });
    expect(candidate?.id).toBe('7');
    expect(await search(fixture.older)).toEqual([]); // It names neither size nor licence.
  });

  it('keeps the order in which the search ranks', async () => {
    const pages = [3, 1, 2].map((index) => ({ ...page, pageid: index * 10, index }));
    expect((await search({ query: { pages } })).map(({ id }) => id)).toEqual(['10', '20', '30']);
  });

  it('finds nothing when the answer has no query at all', async () => {
    expect(await search(fixture.empty)).toEqual([]);
  });

  it('takes images of the wanted orientation, and others when there are none', async () => {
    const portrait = { width: 3_000, height: 4_000 };
    expect((await search(withInfo(portrait, {}, portrait))).map(({ id }) => id)).toEqual(['2']);
    expect((await search(withInfo(portrait, portrait))).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it.each([
    ['CC0', 'cc0'],
    ['CC BY 4.0', 'cc-by-4.0'],
    ['CC BY-SA 3.0 de', 'cc-by-sa-3.0-de'],
    ['Public domain', 'public-domain'],
    ['PD-US', 'public-domain'],
    ['No restrictions', 'no-restrictions'],
    ['CC BY-SA', 'cc-by-sa'],
    ['PD', 'public-domain'],
    ['No known copyright restrictions', 'no-known-copyright-restrictions'],
  ])('takes an image under %s', async (name, id) => {
    expect((await search(withInfo(meta({ LicenseShortName: name }))))[0]?.attribution.license.id).toBe(id);
  });

  it.each([['CC BY-NC 2.0'], ['CC BY-ND 4.0'], ['GFDL 1.2'], ['Fair use'], ['']])(
    'leaves an image under %j',
    async (name) => {
      expect(await search(withInfo(meta({ LicenseShortName: name })))).toEqual([]);
    },
  );

  it.each([['application/pdf'], ['image/svg+xml'], ['image/gif'], ['video/webm'], [undefined]])(
    'leaves a file of type %s',
    async (mime) => {
      expect(await search(withInfo({ mime }))).toEqual([]);
    },
  );

  it('takes PNG and WebP, and no file without a size', async () => {
    const kept = await search(
      withInfo({ mime: 'image/png' }, { width: 0 }, { height: null }, { mime: 'image/webp' }),
    );
    expect(kept.map(({ id }) => id)).toEqual(['1', '4']);
  });

  it('credits a file whose author is not named', async () => {
    const [candidate] = await search(withInfo(meta({ Artist: '' })));
    expect(candidate?.attribution.creditLine).toBe('“Meadow”, CC BY-SA 4.0, via Wikimedia Commons');
    expect(candidate?.attribution).not.toHaveProperty('creator');
  });

  it('places what its size allows', async () => {
    const [candidate] = await search(withInfo({ width: 3_000, height: 2_000 }));
    if (!candidate) throw new Error('There is no candidate.');
    const { widthPx: _, ...unmeasured } = candidate;
    const size = { widthPx: 500, heightPx: 100 };
    expect(wikimedia.provider.sourceFor(unmeasured, size)).toBeUndefined();
    expect(wikimedia.provider.sourceFor(candidate, size)).toEqual({
      kind: 'fetch',
      url: info?.thumburl.replace('1920px', '500px'),
    });
  });

  it('removes keywords of its search engine from the query', async () => {
    await search(fixture.empty, 'lake insource:/secret/ -filetype:bitmap intitle:"a|b" <x> NOT');
    expect(searches().at(-1)).toMatch(/^[a-z ]+ filetype:bitmap filew:>1600 fileh:>900$/);
  });

  const searches = () => wikimedia.asked.map(({ url }) => url.searchParams.get('gsrsearch') ?? '');
  const end = 'filew:>1600 fileh:>900';

  it('looks for fewer words where too few images have all of them, and names each once', async () => {
    const before = wikimedia.asked.length;
    const candidates = await search(
      withInfo({}, { width: 3_000, height: 4_000 }, {}),
      'a blue meadow in the alps',
    );
    expect(searches().slice(before)).toEqual([
      `blue meadow alps filetype:bitmap ${end}`,
      expect.stringMatching(/^\w+ \w+ filetype/),
    ]);
    expect(candidates.map(({ id }) => id)).toEqual(['1', '3']);
  });

  it('corrects the spelling of words that nothing is found for', async () => {
    const before = wikimedia.asked.length;
    await search(fixture.empty, 'moutain');
    expect(searches().slice(before)).toEqual([
      `moutain filetype:bitmap ${end}`,
      `mountain filetype:bitmap ${end}`,
    ]);
  });

  it('takes categories for tags, but for those that say how a file is kept', async () => {
    const Categories =
      'Meadows|CC-BY-SA-4.0|Files with coordinates missing SDC location of creation|Pages with maps|Featured pictures on Wikimedia Commons';
    const [candidate] = await search(withInfo(meta({ Categories })));
    expect(candidate?.description).toMatchObject({ tags: ['Meadows'], isFeatured: true });
  });

  it('sends one request where the budget gives no second one', async () => {
    wikimedia.answer({ body: fixture.empty });
    const before = wikimedia.asked.length;
    const query = { subject: understand('meadow'), orientation: 'landscape' } as const;
    expect(await wikimedia.provider.search(query, never, async () => false)).toEqual([]);
    expect(wikimedia.asked).toHaveLength(before + 1);
  });

  it('keeps title, description and categories as what is said about an image', async () => {
    const said = meta({ ImageDescription: '<p>Hay\u0007 in <b>June</b></p>', Categories: 'Meadows|Hay' });
    const [candidate] = await search(withInfo(said));
    expect(candidate?.description).toMatchObject({ title: 'Meadow', tags: ['Meadows', 'Hay'] });
    expect(candidate?.description.alt).toBe('Hay in June');
  });

  it('describes one image by its id, and none that is gone', async () => {
    wikimedia.answer({ body: withInfo({}) });
    expect(await wikimedia.provider.byId?.('1', never)).toMatchObject({ id: '1' });
    expect(wikimedia.asked.at(-1)?.url.searchParams.get('pageids')).toBe('1');
    wikimedia.answer({ body: { query: { pages: [{ pageid: 1, missing: true }] } } });
    expect(await wikimedia.provider.byId?.('1', never)).toBeUndefined();
  });

  it('reads errors that come with status 200', async () => {
    expect((await wikimedia.failureOf({ body: fixture.rateLimit })).kind).toBe('throttled');
    expect((await wikimedia.failureOf({ body: fixture.badRequest })).kind).toBe('rejected');
  });

  it.each([
    ['maxlag', 'throttled'],
    ['cirrussearch-too-busy-error', 'throttled'],
    ['internal_api_error_DBQueryError', 'unavailable'],
    ['cirrussearch-backend-error', 'unavailable'],
    ['readonly', 'unavailable'],
    ['timeout', 'unavailable'],
    ['nosuchaction', 'rejected'],
  ])('reads the error %s as %s', async (code, kind) => {
    expect((await wikimedia.failureOf({ body: { error: { code } } })).kind).toBe(kind);
  });

  it('backs off as long as Retry-After states', async () => {
    const limited = { status: 429, headers: { 'retry-after': '60' }, body: '' };
    expect(await wikimedia.failureOf(limited)).toMatchObject({ kind: 'throttled', retryAfterMs: 60_000 });
  });
});

describe('the width of a Wikimedia image', () => {
  const original = { widthPx: 8_000, heightPx: 5_000, url: info?.url ?? '' };
  const widthAt = (widthPx: number, from = original) => {
    const url = stepUrl(from, info?.thumburl, { widthPx, heightPx: 1 });
    return /\/(\d+)px-[^/]*$/.exec(new URL(url).pathname)?.[1] ?? 'original';
  };

  it.each([
    [1, '20'],
    [20, '20'],
    [21, '40'],
    [960, '960'],
    [961, '1280'],
    [1_920, '1920'],
    [1_921, '3840'],
    [3_840, '3840'],
    [3_841, 'original'],
    [5_000, 'original'],
  ])('for %d pixels is %s', (widthPx, step) => {
    expect(widthAt(widthPx)).toBe(step);
  });

  it('is that of the original where the step is not narrower', () => {
    expect(widthAt(1_000, { ...original, widthPx: 1_280 })).toBe('original');
    expect(widthAt(1_000, { ...original, widthPx: 1_281 })).toBe('1280');
    expect(widthAt(1_000, { ...original, widthPx: 1_100 })).toBe('original');
  });

  it('is wide enough for the height as well', () => {
    const tall = stepUrl(original, info?.thumburl, { widthPx: 100, heightPx: 1_000 });
    expect(tall).toContain('/1920px-'); // 1,000 high is 1,600 wide.
  });

  it('leaves the rest of the URL unchanged', () => {
    expect(stepUrl(original, info?.thumburl, { widthPx: 500, heightPx: 1 })).toBe(
      info?.thumburl.replace('1920px', '500px'),
    );
  });

  it('uses the URL unchanged when it is not of the known form', () => {
    const odd = 'https://thumb.wikimedia.org/odd';
    expect(stepUrl(original, odd, { widthPx: 500, heightPx: 1 })).toBe(odd);
    expect(stepUrl(original, odd, { widthPx: 3_000, heightPx: 1 })).toBe(original.url);
    expect(stepUrl(original, undefined, { widthPx: 500, heightPx: 1 })).toBe(original.url);
  });
});
