/** Particulars of Unsplash: hotlinks with tracking parameters, usage reports, referral links, unusual errors. */

import { understand } from '../../../lambda/stock/understand';
import fixture from './answers/unsplash.json';
import { never, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

const size = { widthPx: 1_920, heightPx: 1_080 };

describe('the Unsplash adapter', () => {
  let unsplash: ScriptedProvider;
  beforeAll(async () => {
    unsplash = await startScriptedProvider('unsplash');
  });
  afterAll(() => unsplash?.server.stop());

  const first = async (body: unknown = fixture.search) => {
    unsplash.answer({ body });
    const [candidate] = await unsplash.provider.search(
      { subject: understand('lake'), orientation: 'landscape' },
      never,
    );
    if (!candidate) throw new Error('There is no candidate.');
    return candidate;
  };

  it('redirects to the photo itself, cropped, with all parameters of its URL', async () => {
    const source = unsplash.provider.sourceFor(await first(), size);
    const url = new URL(source?.kind === 'hotlink' ? source.url : '');
    expect(url.origin + url.pathname).toBe('https://images.unsplash.com/photo-1468820965834-2a600bffd29d');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ixid: 'MnwxMjA3fDB8MHx',
      ixlib: 'rb-4.0.3',
      w: '1920',
      h: '1080',
      fit: 'crop',
      crop: 'entropy',
      auto: 'format',
      q: '80',
    });
  });

  it.each([
    ['attention', 'entropy'],
    ['faces', 'faces'],
    ['left', 'left'],
    ['right', 'right'],
    ['top', 'top'],
    ['bottom', 'bottom'],
    ['center', null],
  ] as const)('crops with crop=%s as imgix does with %s', async (crop, wanted) => {
    const source = unsplash.provider.sourceFor(await first(), size, crop);
    const { searchParams } = new URL(source?.kind === 'hotlink' ? source.url : '');
    expect(searchParams.get('crop')).toBe(wanted);
  });

  it('credits the photographer and Unsplash with referral links', async () => {
    expect((await first()).attribution).toEqual({
      providerName: 'Unsplash',
      creator: 'Maren Quist',
      creatorUrl: 'https://unsplash.com/@marenquist?utm_source=image-redirect&utm_medium=referral',
      landingUrl: 'https://unsplash.com/photos/Dwu85P9SOIk?utm_source=image-redirect&utm_medium=referral',
      license: { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
      creditLine: 'Photo by Maren Quist on Unsplash',
    });
  });

  it('keeps what is said of a photo, and credits Unsplash where nobody is named', async () => {
    const [photo] = fixture.search.results;
    const { attribution, description } = await first({
      results: [{ ...photo, description: 'A lake', tags: [{ title: 'water' }], user: {} }],
    });
    expect(description).toMatchObject({
      title: 'A lake',
      alt: photo?.alt_description,
      tags: ['water'],
      color: '#6e633a',
    });
    expect(attribution.creditLine).toBe('Photo by an unnamed photographer on Unsplash');
    expect(attribution).not.toHaveProperty('creatorUrl');
  });

  it('describes a photo by its id, whatever that holds', async () => {
    unsplash.answer({ body: fixture.search.results[0] });
    expect(await unsplash.provider.byId?.('a/b?c', never)).toMatchObject({ id: 'Dwu85P9SOIk' });
    expect(unsplash.asked.at(-1)?.url.pathname).toBe('/photos/a%2Fb%3Fc');
  });

  it('asks with the key in its header, and the version', async () => {
    await first();
    expect(unsplash.asked.at(-1)?.headers).toMatchObject({
      authorization: 'Client-ID the-key',
      'accept-version': 'v1',
    });
  });

  it('names what to call when the photo is used, and calls just that, with the key', async () => {
    const { links, ...photo } = fixture.search.results[0] as (typeof fixture.search.results)[0];
    const reportUrl = `${unsplash.server.address}/photos/Dwu85P9SOIk/download?ixid=MnwxMjA3fDB8MHx`;
    const candidate = await first({
      results: [{ ...photo, links: { ...links, download_location: reportUrl } }],
    });
    const source = unsplash.provider.sourceFor(candidate, size);
    expect(source).toMatchObject({ reportUrl });
    const before = unsplash.asked.length;
    unsplash.answer({ body: fixture.download });
    await unsplash.provider.reportUse?.(reportUrl, never);
    expect(
      unsplash.asked.slice(before).map(({ url, headers }) => [url.href, headers['authorization']]),
    ).toEqual([[reportUrl, 'Client-ID the-key']]);
  });

  it('reports to no other host, because the report carries the key', async () => {
    const before = unsplash.asked.length;
    for (const reportUrl of [
      'https://elsewhere.example/photos/1/download',
      'nonsense',
      'http://127.0.0.1:1/',
    ]) {
      await expect(unsplash.provider.reportUse?.(reportUrl, never)).rejects.toMatchObject({
        kind: 'rejected',
      });
    }
    expect(unsplash.asked).toHaveLength(before);
  });

  it('distinguishes its 403 for too many requests from its 403 for a key without permission', async () => {
    const limited = { status: 403, headers: { 'content-type': 'text/plain' }, body: fixture.rateLimit };
    expect((await unsplash.failureOf(limited)).kind).toBe('throttled');
    expect((await unsplash.failureOf({ status: 403, body: fixture.forbidden })).kind).toBe('unauthorized');
    expect((await unsplash.failureOf({ status: 429, body: '' })).kind).toBe('throttled');
    expect((await unsplash.failureOf({ status: 401, body: fixture.badKey })).kind).toBe('unauthorized');
    expect((await unsplash.failureOf({ status: 410, body: fixture.spam })).kind).toBe('rejected');
  });

  it('takes a photo without description, name or links, and skips one without a URL', async () => {
    const bare = {
      id: 'bare',
      width: null,
      height: null,
      urls: { raw: 'https://images.unsplash.com/b?ixid=1' },
    };
    const candidate = await first({ results: [{ id: 'none' }, null, bare] });
    expect(candidate).toMatchObject({ id: 'bare', attribution: { providerName: 'Unsplash' } });
    expect(candidate).not.toHaveProperty('widthPx');
    expect(unsplash.provider.sourceFor(candidate, size)).not.toHaveProperty('reportUrl');
  });

  it.each([[[]], ['text'], [null], [{ results: null }], [{ results: [1, 'two', []] }]])(
    'finds nothing in %j',
    async (body) => {
      unsplash.answer({ body: JSON.stringify(body) });
      const found = await unsplash.provider
        .search({ subject: understand('x'), orientation: 'square' }, never)
        .catch(() => []);
      expect(found).toEqual([]);
    },
  );
});
