/** Calls the loaders as their frameworks call them. */

import { type AstroImageService, createImageService } from '../src/astro';
import { createLoader } from '../src/next';
import imageRedirectProvider from '../src/nuxt';

// Astro's own service, which a site has.
jest.mock('astro/assets/services/sharp', () => ({}), { virtual: true });

const base = 'https://img.example.com';
const signed = `${base}/api/image?query=sea&upto=1920x1080&signer=sg_live_7Hq2mXv9Rk3T&signature=abc`;
const makeImage = (parameters: string) => `${base}/api/image?${parameters}`;

describe('createLoader', () => {
  const loadImage = createLoader({ base });

  test('the loader of next/image reads ratio and options from the source', () => {
    for (const [src, parameters] of [
      ['lake?ratio=3:2&seed=2', 'query=lake&width=640&height=427&seed=2'],
      [
        'a fox?ratio=1:1&alt=2&avoid=people,text',
        'query=a%20fox&width=640&height=640&alt=2&avoid=people%2Ctext',
      ],
      ['sea?width=300&height=200&provider=ai', 'query=sea&width=640&height=427&provider=ai'],
      ['sea?site=site_live_x', 'query=sea&width=640&height=360&site=site_live_x'],
    ] as const)
      expect(loadImage({ src, width: 640 })).toBe(makeImage(parameters));
  });

  test('the loader of next/image returns other sources unchanged', () => {
    const sources =
      '/logo.png ./logo.png ../logo.png https://a.test/b.png HTTPS://a.test/b.png data:image/png;base64,AA blob:x';
    for (const src of sources.split(' ')) expect(loadImage({ src, width: 640 })).toBe(src);
  });

  test('the loader of next/image says what is wrong with a source or its settings', () => {
    for (const name of ['rato', 'api_key'])
      expect(() => loadImage({ src: `sea?${name}=x`, width: 640 })).toThrow(`A source has no option ${name}`);
    expect(() => createLoader()({ src: 'sea', width: 640 })).toThrow('The URL of the service is missing');
  });
});

describe('imageRedirectProvider', () => {
  const { getImage } = imageRedirectProvider();

  test('the provider of Nuxt Image removes the slash before words', () => {
    const modifiers = { width: 600, height: 400 };
    const { url } = getImage('/mountain lake?seed=2', { baseURL: base, modifiers });
    expect(url).toBe(makeImage('query=mountain%20lake&width=600&height=400&seed=2'));
  });

  test('if no base is configured, the provider of Nuxt Image reads the environment', () => {
    jest.replaceProperty(process, 'env', { IMAGE_REDIRECT_URL: base });
    const { url } = getImage('/sea?width=600&height=400', {});
    jest.restoreAllMocks();
    expect(url).toBe(makeImage('query=sea&width=600&height=400'));
  });

  test('the provider of Nuxt Image returns other sources unchanged', () => {
    const files = 'avif gif ico jpg jpeg png svg webp'.split(' ').map((ending) => `/a/logo.${ending}`);
    for (const src of [
      ...files,
      '//cdn.example.com/a',
      '/logo.PNG',
      '/logo.svg?v=2',
      'https://example.com/a.png',
    ])
      expect(getImage(src, { baseURL: base, modifiers: { width: 600 } })).toEqual({ url: src });
  });
});

describe('createImageService', () => {
  type Options = Parameters<AstroImageService['validateOptions']>[0];
  /** Astro's own service, as far as it is called. */
  const astro: AstroImageService = {
    validateOptions: (options) => ({ ...options, format: 'own' }),
    getURL: (options) => `own:${JSON.stringify(options.src)}`,
    getSrcSet: () => [],
    transform: async (data: Uint8Array) => ({ data, format: 'webp' }),
    propertiesToHash: ['src'],
  };
  const service = createImageService(astro);
  const config = { service: { config: { base } } };

  const validate = (options: Options) => service.validateOptions(options, config, undefined);

  test('the image service of Astro turns words into a URL', async () => {
    const src = 'image-redirect:mountain lake?seed=2';
    const options = await validate({ src, width: 600, height: 400, layout: 'fixed', alt: 'A lake' });
    const url = makeImage('query=mountain%20lake&width=600&height=400&seed=2');
    expect(options).toMatchObject({ src: url, width: 600, height: 400, alt: 'A lake' });
    expect(options['layout']).toBeUndefined();
    expect(await service.getURL(options, config, undefined)).toBe(url);
  });

  test.each<[about: string, wanted: Options, src: string, srcSet: readonly string[]]>([
    [
      'the widths that exist, each once',
      { src: 'image-redirect:sea', width: 600, height: 400, widths: [32, 64, 600, 6000] },
      makeImage('query=sea&width=600&height=400'),
      [
        `${makeImage('query=sea&width=150&height=100')} 150w`,
        `${makeImage('query=sea&width=600&height=400')} 600w`,
        `${makeImage('query=sea&width=4000&height=2667')} 4000w`,
      ],
    ],
    [
      'densities',
      { src: 'image-redirect:sea?ratio=3:2', width: 600, densities: [1.5, '2x'] },
      makeImage('query=sea&width=600&height=400'),
      [
        `${makeImage('query=sea&width=900&height=600')} 1.5x`,
        `${makeImage('query=sea&width=1200&height=800')} 2x`,
      ],
    ],
    [
      'the ratio of the source, whatever that of the component is',
      { src: 'image-redirect:sea?ratio=1:1', width: 600, height: 400, widths: [300] },
      makeImage('query=sea&width=600&height=600'),
      [`${makeImage('query=sea&width=300&height=300')} 300w`],
    ],
    [
      'the widths of a URL signed for several sizes',
      { src: signed, width: 600, height: 338, widths: [640, 1280] },
      `${signed}&width=640`,
      [`${signed}&width=640 640w`, `${signed}&width=1280 1280w`],
    ],
    [
      'the widths of a signed URL that is marked as ours',
      { src: `image-redirect:${signed}`, width: 600, widths: [640] },
      `${signed}&width=640`,
      [`${signed}&width=640 640w`],
    ],
  ])('the image service of Astro writes %s', async (_about, wanted, src, srcSet) => {
    const options = await validate(wanted);
    expect(options.src).toBe(src);
    const values = await service.getSrcSet(options, config, undefined);
    expect(values.map(({ transform, descriptor }) => `${transform.src} ${descriptor}`)).toEqual(srcSet);
    for (const { transform } of values)
      expect(await service.getURL(transform, config, undefined)).toBe(transform.src);
  });

  test('the image service of Astro hands other images to Astro’s own service', async () => {
    const imported = { src: '/_astro/logo.png', width: 1, height: 1, format: 'png' as const };
    for (const src of ['/logo.png', 'https://example.com/a.png', 'sea', imported]) {
      const options = await validate({ src, width: 10 });
      expect(options).toEqual({ src, width: 10, format: 'own' });
      expect(await service.getURL(options, config, undefined)).toBe(`own:${JSON.stringify(src)}`);
      expect(await service.getSrcSet(options, config, undefined)).toEqual([]);
    }
    expect(service['transform']).toBe(astro['transform']);
    expect(service['propertiesToHash']).toEqual(['src']);
  });
});
