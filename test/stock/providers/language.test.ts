/** All adapters: the language, colour and licence of a query, and the language of the texts they return. */

import type { StockQuery } from '../../../lambda/stock/stock-provider';
import { readSubject } from '../../../lambda/stock/subject';
import pexels from './answers/pexels.json';
import pixabay from './answers/pixabay.json';
import unsplash from './answers/unsplash.json';
import { never, startScriptedProvider } from './scripted-provider';

describe('queries', () => {
  it.each([
    ['unsplash', unsplash.search, 'pt-br', { lang: 'pt' }, 'en'],
    ['unsplash', unsplash.search, undefined, { lang: null }, 'en'],
    ['pexels', pexels.search, 'pt', { locale: 'pt-BR' }, 'en'],
    ['pexels', pexels.search, 'zh-tw', { locale: 'zh-TW' }, 'en'],
    ['pexels', pexels.search, 'eu', { locale: null }, 'en'],
    ['pixabay', pixabay.search, 'de-at', { lang: 'de' }, 'de'],
    ['pixabay', pixabay.search, 'eu', { lang: null }, 'en'],
  ] as const)('a query is sent to %s in the language of its caller', async (name, body, lang, sent, said) => {
    const { provider, server, asked, answer } = await startScriptedProvider(name);
    try {
      answer({ body });
      const [found] = await provider.search(
        { subject: readSubject('praia', lang), orientation: 'landscape' },
        never,
      );
      const parameters = asked[0]?.url.searchParams;
      expect(parameters?.get('query') ?? parameters?.get('q')).toBe('praia');
      for (const [parameter, value] of Object.entries(sent)) expect(parameters?.get(parameter)).toBe(value);
      expect(found?.description.lang).toBe(said);
    } finally {
      await server.stop();
    }
  });

  it.each<
    [
      Parameters<typeof startScriptedProvider>[0],
      Partial<StockQuery>,
      Readonly<Record<string, string | null>>,
    ]
  >([
    ['unsplash', { color: 'pink' }, { color: 'magenta' }],
    ['unsplash', { color: 'f078b0' }, { color: 'magenta' }],
    ['unsplash', { color: 'blue' }, { color: 'blue' }],
    ['unsplash', { color: 'gray' }, { color: null }],
    ['unsplash', { color: 'brown' }, { color: null }],
    ['unsplash', {}, { color: null }],
    ['pexels', { color: 'purple' }, { color: 'violet' }],
    ['pexels', { color: 'red' }, { color: 'red' }],
    ['pexels', { color: '0a0b0c' }, { color: '#0a0b0c' }],
    ['pexels', {}, { color: null }],
    ['pixabay', { color: 'purple' }, { colors: 'lilac' }],
    ['pixabay', { color: '7a32a0' }, { colors: 'lilac' }],
    ['pixabay', { color: 'gray' }, { colors: 'gray' }],
    ['pixabay', {}, { colors: null, per_page: '40', key: 'the-key' }],
    ['pixabay', { orientation: 'square' }, { per_page: '100', min_width: '900', min_height: '900' }],
    ['openverse', { license: 'public-domain' }, { license: 'cc0,pdm', license_type: null }],
    ['openverse', { license: 'attribution-free' }, { license: 'cc0,pdm', license_type: null }],
    ['openverse', {}, { license: null, license_type: 'commercial,modification' }],
  ])('a query to %s for %j has the parameters %j', async (name, query, sent) => {
    const { provider, server, asked } = await startScriptedProvider(name);
    try {
      await provider.search({ subject: readSubject('beach'), orientation: 'landscape', ...query }, never);
      for (const [parameter, value] of Object.entries(sent))
        expect([parameter, asked[0]?.url.searchParams.get(parameter)]).toEqual([parameter, value]);
    } finally {
      await server.stop();
    }
  });
});
