/** Particulars of Openverse: licences, missing sizes, and images from its own proxy. */

import fixture from '../../../local/fake-providers/fixtures/openverse.json';
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
    return openverse.provider.search({ words, orientation: 'landscape' }, never, async () => true);
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
      description: { rank: 1, title: 'Tree Bark Photo', tags: ['tree'] },
    });
  });

  it('makes a credit line where none is supplied, and leaves the size open where none is known', async () => {
    const [candidate] = await search([sizeless]);
    expect(candidate?.attribution.creditLine).toBe(
      '“exam tactics” by Aoife Brannigan, CC BY 2.0, via Openverse',
    );
    expect(candidate?.attribution.license.id).toBe('cc-by-2.0');
    expect(candidate).not.toHaveProperty('widthPx');
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

  it('never asks for more than twenty, which is refused without a key', async () => {
    await search([result]);
    expect(Number(openverse.asked.at(-1)?.url.searchParams.get('page_size'))).toBeLessThanOrEqual(20);
  });

  it('upgrades an http URL to https, and skips a photo without a URL', async () => {
    const [candidate] = await search([
      { ...result, url: 'ftp://images.example/a' },
      { ...result, url: 'http://images.example/a.jpg' },
    ]);
    expect(candidate?.sourceUrl).toBe('https://images.example/a.jpg');
  });

  it('leaves out what may not be cropped or sold, what is sensitive, drawings, and ids that are none', async () => {
    const kept = await search([
      ...['by-nc', 'by-nd', 'by-nc-sa', 'by-nc-nd', 'nc-sampling+'].map((license) => ({
        ...result,
        license,
      })),
      { ...result, mature: true },
      { ...result, unstable__sensitivity: ['user_reported_sensitivity'] },
      { ...result, filetype: 'svg' },
      { ...result, id: '../../v1/secrets' },
      { ...result, id: 1 },
      null,
    ]);
    expect(kept).toEqual([]);
  });

  it('removes operators of its query language from the query', async () => {
    await search([result], 'Lake OR "dead -sea"');
    expect(openverse.asked.at(-1)?.url.searchParams.get('q')).toBe('lake dead sea');
  });

  it('asks with less words too where there are more than three, in the plain form when that is refused', async () => {
    const asked = () => openverse.asked.map(({ url }) => url.searchParams.get('q'));
    await search([result], 'an old red boat on the lake shore');
    expect(asked().at(-1)).toBe(
      '(old red boat lake shore) | (old red boat lake) | (old red boat) | (old red)',
    );
    const before = openverse.asked.length;
    const refused = { status: 400, body: fixture.badRequest };
    expect((await openverse.failureOf(refused, 'old red boat shore')).kind).toBe('rejected');
    expect(asked().slice(before)).toEqual([
      '(old red boat shore) | (old red boat) | (old red)',
      'old red boat shore',
    ]);
  });

  it('asks for the public domain where no credit may be needed', async () => {
    openverse.answer({ body: { results: [result] } });
    const query = { words: 'tree', orientation: 'landscape', license: 'attribution-free' } as const;
    await openverse.provider.search(query, never);
    const parameters = openverse.asked.at(-1)?.url.searchParams;
    expect([parameters?.get('license'), parameters?.get('license_type')]).toEqual(['cc0,pdm', null]);
  });

  it('describes one image by its id, and none that is gone', async () => {
    const id = result?.id ?? '';
    openverse.answer({ body: result });
    expect(await openverse.provider.byId?.(id, never)).toMatchObject({ id, widthPx: 6_016 });
    expect(openverse.asked.at(-1)?.url.pathname).toBe(`/v1/images/${id}/`);
    openverse.answer({ status: 404, body: { detail: 'Not found.' } });
    expect(await openverse.provider.byId?.(id, never)).toBeUndefined();
    openverse.answer({ status: 500, body: '' });
    await expect(openverse.provider.byId?.(id, never)).rejects.toMatchObject({ kind: 'unavailable' });
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
