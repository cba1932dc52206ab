/** Particulars of Openverse: licences, missing sizes, and images from its own proxy. */

import { type Subject, understand } from '../../../lambda/stock/understand';
import fixture from './answers/openverse.json';
import { never, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

describe('the Openverse adapter', () => {
  let openverse: ScriptedProvider;
  beforeAll(async () => {
    openverse = await startScriptedProvider('openverse');
  });
  afterAll(() => openverse?.server.stop());

  const [result] = fixture.search.results;
  const [sizeless] = fixture.withoutSizes.results;
  const search = async (results: unknown[], words = 'tree bark') => {
    openverse.answer({ body: { results } });
    return openverse.provider.search(
      { subject: understand(words), orientation: 'landscape' },
      never,
      async () => true,
    );
  };
  const placed = async (item: unknown, widthPx: number, heightPx: number) => {
    const [candidate] = await search([item]);
    const source = candidate && openverse.provider.sourceFor(candidate, { widthPx, heightPx });
    return source?.kind === 'fetch' ? source.url.replace(openverse.server.address, '') : source;
  };

  it('credits with the line that Openverse supplies', async () => {
    const [candidate] = await search([result]);
    expect(candidate).toEqual({
      id: '4bc43a04-ef46-4544-a0c1-63c63f56e276',
      widthPx: 6_016,
      heightPx: 4_016,
      sourceUrl: 'https://cdn.stocksnap.io/img-thumbs/960w/XNVBVXO3B7.jpg',
      attribution: {
        providerName: 'Openverse',
        creator: 'Jonas Ekeby',
        creatorUrl: 'https://example.org/jonas-ekeby',
        landingUrl: 'https://stocksnap.io/photo/XNVBVXO3B7',
        license: {
          id: 'cc0-1.0',
          name: 'CC0 1.0',
          url: 'https://creativecommons.org/publicdomain/zero/1.0/',
        },
        creditLine: result?.attribution,
      },
      description: {
        rank: 1,
        title: 'Tree Bark Photo',
        tags: ['tree'],
        match: { score: expect.any(Number), coverage: 1 },
      },
    });
  });

  it('makes a credit line where none is supplied, and leaves the size open where none is known', async () => {
    const [candidate] = await search([sizeless]);
    expect(candidate?.attribution.creditLine).toBe(
      '“exam tactics” by Aoife Brannigan, CC BY 2.0, via Openverse',
    );
    expect(candidate?.attribution.license.id).toBe('cc-by-2.0');
    expect(candidate).not.toHaveProperty('widthPx');
    const [bare] = await search([{ ...sizeless, title: null, creator: null, license_version: null }]);
    expect(bare?.attribution.creditLine).toBe('Image, CC BY, via Openverse');
  });

  it('fetches its own small copy where that covers the size, else its full one, never the original', async () => {
    const path = '/v1/images/4bc43a04-ef46-4544-a0c1-63c63f56e276/thumb/';
    expect(await placed(result, 600, 400)).toBe(path);
    expect(await placed(result, 601, 400)).toBe(`${path}?full_size=true`);
    expect(await placed(result, 400, 600)).toBe(`${path}?full_size=true`);
    expect(await placed(sizeless, 100, 100)).toMatch(/full_size=true$/);
  });

  it('keeps the credit short enough for a header, however long the title is', async () => {
    const title = 'Δ'.repeat(3_000);
    const [candidate] = await search([{ ...result, title, attribution: `"${title}" by someone` }]);
    const { creditLine = '', creator } = candidate?.attribution ?? {};
    expect(creditLine.length).toBeLessThan(600);
    expect(creditLine).toContain('Δ…”');
    expect(creditLine).toContain(creator);
  });

  it('upgrades an http URL to https, and skips a photo without a URL', async () => {
    const [candidate] = await search([
      { ...result, url: 'ftp://images.example/a' },
      { ...result, url: 'http://images.example/a.jpg' },
    ]);
    expect(candidate?.sourceUrl).toBe('https://images.example/a.jpg');
  });

  it('leaves out what may not be cropped or sold, what is sensitive, drawings, and invalid ids', async () => {
    const kept = await search([
      ...['by-nc', 'by-nd', 'by-nc-sa', 'by-nc-nd', 'nc-sampling+', 'by<b>', 'free'].map((license) => ({
        ...result,
        license,
      })),
      { ...result, license_version: '4.0"><script>' },
      { ...result, mature: true },
      { ...result, unstable__sensitivity: ['user_reported_sensitivity'] },
      { ...result, filetype: 'svg' },
      { ...result, category: 'illustration' },
      { ...result, category: 'digitized_artwork' },
      { ...result, id: '../../v1/secrets' },
      { ...result, id: 1 },
      null,
    ]);
    expect(kept).toEqual([]);
  });

  it('passes on no markup', async () => {
    const marked = (of: string) => `<b onclick="x">${of}</b><<i>script>`;
    const [candidate] = await search([
      {
        ...result,
        title: marked('Lake'),
        creator: marked('Ann'),
        attribution: marked('Lake by Ann'),
        tags: [{ name: marked('water') }],
      },
    ]);
    expect(JSON.stringify(candidate)).toMatch(/Lake.*Ann.*water/s);
    expect(JSON.stringify(candidate)).not.toMatch(/<[a-z/]/);
  });

  it('removes operators of its query language from the query', async () => {
    const before = openverse.asked.length;
    await search([result], 'Lake OR "dead -sea" | (boat)');
    expect(openverse.asked[before]?.url.searchParams.get('q')).toMatch(/^[a-z ]+$/);
  });

  describe('searches', () => {
    const answers = (...counts: readonly number[]) => {
      const bodies = counts.map((count) => ({
        results: Array.from({ length: count }, (_, n) => ({
          ...result,
          id: `4bc43a04-ef46-4544-a0c1-${String(count * 100 + n).padStart(12, '0')}`,
          title: 'Red boat on a lake',
        })),
      }));
      openverse.answer(() => ({ body: bodies.shift() ?? { results: [] } }));
    };
    const sent = async (words: string, isGranted = true, more: Partial<Subject> = {}) => {
      const before = openverse.asked.length;
      const found = await openverse.provider.search(
        { subject: { ...understand(words), ...more }, orientation: 'landscape' },
        never,
        async () => isGranted,
      );
      const fields = openverse.asked.slice(before).map(({ url: { searchParams } }) => {
        const field = ['q', 'title', 'tags'].find((name) => searchParams.has(name)) ?? '';
        return `${field}=${searchParams.get(field)}`;
      });
      return [found.length, ...fields];
    };

    it.each<[string, string, readonly number[], readonly (string | number)[]]>([
      ['once, where enough is found', 'a red boat on the lake', [5], [5, 'q=red boat lake']],
      ['once, for one word', 'boat', [1], [1, 'q=boat']],
      [
        'in titles and tags, where too little is found',
        'red boat',
        [1, 2, 3],
        [6, 'q=red boat', 'title=red boat', 'tags=red boat'],
      ],
      [
        'in tags, where no title has a word',
        'red kayak',
        [0, 0, 2],
        [2, 'q=red kayak', 'title=red kayak', 'tags=red kayak'],
      ],
      ['with the spelling corrected', 'moutain', [0, 4], [4, 'q=moutain', 'q=mountain']],
      ['without what the query excludes', 'empty office no people', [5], [5, 'q=office']],
      ['in English', 'собака', [5], [5, 'q=dog']],
    ])('%s', async (_, words, counts, expected) => {
      answers(...counts);
      expect(await sent(words)).toEqual(expected);
    });

    it('no more often than it is granted', async () => {
      answers(1);
      expect(await sent('red boat', false)).toEqual([1, 'q=red boat']);
    });
  });

  it('sends no request when no word is left', async () => {
    const before = openverse.asked.length;
    expect(await search([result], '"" - *')).toEqual([]);
    expect(openverse.asked).toHaveLength(before);
  });

  it('treats the page that its firewall shows to data centres as a refusal', async () => {
    const page = { status: 403, headers: { 'content-type': 'text/html' }, body: fixture.forbidden };
    expect((await openverse.failureOf(page)).kind).toBe('unauthorized');
    expect((await openverse.failureOf({ status: 400, body: fixture.badRequest })).kind).toBe('rejected');
    expect((await openverse.failureOf({ status: 429, body: fixture.rateLimit })).kind).toBe('throttled');
  });

  it('refuses an answer that never ends', async () => {
    const long = { body: JSON.stringify({ results: 'x'.repeat(4_000_000) }) };
    expect((await openverse.failureOf(long)).kind).toBe('malformed');
  });
});
