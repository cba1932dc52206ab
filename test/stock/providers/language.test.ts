/** The parameters of a query at each provider: language, colour, orientation and licence. */

import type { StockQuery } from '../../../lambda/stock/stock-provider';
import { parseSubject } from '../../../lambda/stock/subject';
import pexels from './answers/pexels.json';
import pixabay from './answers/pixabay.json';
import unsplash from './answers/unsplash.json';
import { neverAborted, startScriptedProvider } from './scripted-provider';

type Name = Parameters<typeof startScriptedProvider>[0];
type Sent = Readonly<Record<string, string | null>>;

/** Searches a provider for a beach. Returns the candidates and the sent values of the expected parameters. */
async function search(name: Name, query: Partial<StockQuery>, expected: Sent, body: unknown = {}) {
  const { provider, server, requests, answer } = await startScriptedProvider(name);
  try {
    answer({ body });
    const beach = { subject: parseSubject('praia', 'pt'), orientation: 'landscape' } as const;
    const candidates = await provider.search({ ...beach, ...query }, neverAborted);
    const parameters = requests[0]?.url.searchParams;
    const sentParameters = Object.keys(expected).map((parameter) => [parameter, parameters?.get(parameter)]);
    return { candidates, sent: Object.fromEntries(sentParameters) };
  } finally {
    await server.stop();
  }
}

test.each([
  ['unsplash', unsplash.search, 'pt-br', { query: 'praia', lang: 'pt' }, 'en'],
  ['unsplash', unsplash.search, undefined, { query: 'praia', lang: null }, 'en'],
  ['pexels', pexels.search, 'pt', { query: 'praia', locale: 'pt-BR' }, 'en'],
  ['pexels', pexels.search, 'zh-tw', { locale: 'zh-TW' }, 'en'],
  ['pexels', pexels.search, 'eu', { locale: null }, 'en'],
  ['pixabay', pixabay.search, 'de-at', { q: 'praia', lang: 'de' }, 'de'],
  ['pixabay', pixabay.search, 'eu', { lang: null }, 'en'],
] as const)(
  'a query is sent to %s in the language of its caller',
  async (name, body, lang, expected, said) => {
    const { candidates, sent } = await search(name, { subject: parseSubject('praia', lang) }, expected, body);
    expect(sent).toEqual(expected);
    expect(candidates[0]?.description.lang).toBe(said);
  },
);

test.each<[Name, Partial<StockQuery>, Sent]>([
  ['unsplash', { color: 'pink' }, { color: 'magenta' }],
  ['unsplash', { color: 'f078b0' }, { color: 'magenta' }],
  ['unsplash', { color: 'blue' }, { color: 'blue' }],
  ['unsplash', { color: 'gray' }, { color: null }],
  ['pexels', { color: 'purple' }, { color: 'violet' }],
  ['pexels', { color: 'red' }, { color: 'red' }],
  ['pexels', { color: '0a0b0c' }, { color: '#0a0b0c' }],
  ['pixabay', { color: 'purple' }, { colors: 'lilac' }],
  ['pixabay', { color: '7a32a0' }, { colors: 'lilac' }],
  ['pixabay', { color: 'gray' }, { colors: 'gray' }],
  ['pixabay', {}, { colors: null, per_page: '40', key: 'the-key' }],
  ['pixabay', { orientation: 'square' }, { per_page: '100', min_width: '900', min_height: '900' }],
  ['unsplash', {}, { order_by: 'relevant', content_filter: 'high', per_page: '20', color: null }],
  ['unsplash', {}, { orientation: 'landscape' }],
  ['unsplash', { orientation: 'square' }, { orientation: 'squarish' }],
  ['pexels', {}, { size: 'small', per_page: '20', orientation: 'landscape', color: null }],
  ['pexels', { orientation: 'square' }, { orientation: 'square' }],
  ['pixabay', {}, { safesearch: 'true', image_type: 'photo', orientation: 'horizontal', min_width: '1280' }],
  ['pixabay', { orientation: 'portrait' }, { orientation: 'vertical', min_width: '720', min_height: '1280' }],
  ['openverse', {}, { q: 'beach', aspect_ratio: 'wide', mature: 'false', page_size: '20', size: 'large' }],
  ['openverse', { orientation: 'portrait' }, { aspect_ratio: 'tall' }],
  ['openverse', { orientation: 'square' }, { aspect_ratio: 'square' }],
  ['wikimedia', {}, { gsrsearch: 'beach filetype:bitmap filew:>1600 fileh:>900' }],
  ['wikimedia', { orientation: 'portrait' }, { gsrsearch: 'beach filetype:bitmap filew:>900 fileh:>1600' }],
  ['wikimedia', { orientation: 'square' }, { gsrsearch: 'beach filetype:bitmap filew:>1080 fileh:>1080' }],
  ['wikimedia', {}, { formatversion: '2', gsrnamespace: '6', gsrlimit: '50', iiurlwidth: '1920' }],
  ['openverse', { license: 'public-domain' }, { license: 'cc0,pdm', license_type: null }],
  ['openverse', {}, { license: null, license_type: 'commercial,modification' }],
])('a query to %s is sent in the parameters of its API', async (name, query, expected) => {
  expect((await search(name, query, expected)).sent).toEqual(expected);
});
