/** The language of a query on its way to the providers that search by one, and what is said of the language of their texts. */

import { understand } from '../../../lambda/stock/understand';
import pexels from '../../../local/fake-providers/fixtures/pexels.json';
import pixabay from '../../../local/fake-providers/fixtures/pixabay.json';
import unsplash from '../../../local/fake-providers/fixtures/unsplash.json';
import { never, startScriptedProvider } from './scripted-provider';

it.each([
  ['unsplash', unsplash.search, 'pt-br', { lang: 'pt' }, 'en'],
  ['unsplash', unsplash.search, undefined, { lang: null }, 'en'],
  ['pexels', pexels.search, 'pt', { locale: 'pt-BR' }, 'en'],
  ['pexels', pexels.search, 'zh-tw', { locale: 'zh-TW' }, 'en'],
  ['pexels', pexels.search, 'eu', { locale: null }, 'en'],
  ['pixabay', pixabay.search, 'de-at', { lang: 'de' }, 'de'],
  ['pixabay', pixabay.search, 'eu', { lang: null }, 'en'],
] as const)('%s, with a query in a language', async (name, body, lang, sent, said) => {
  const { provider, server, asked, answer } = await startScriptedProvider(name);
  try {
    answer({ body });
    const [found] = await provider.search(
      { subject: understand('praia', lang), orientation: 'landscape' },
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
