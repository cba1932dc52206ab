/** Requests and their outcomes: the table of parse-request.test.ts. */

/** Fields of the valid request that matter in a row, or the code and the faulty parameters of the refusal. */
export type Expected =
  | { readonly valid: Readonly<Record<string, unknown>> }
  | { readonly refused: 'invalid_parameter' | 'conflicting_parameters'; readonly faulty: readonly string[] };

/** A segment of the path form (still encoded) or none, the query string as sent, and the expected result. */
export type Row = readonly [form: string, expected: Expected];

const valid = (fields: Readonly<Record<string, unknown>> = {}): Expected => ({ valid: fields });
const invalid = (...faulty: string[]): Expected => ({ refused: 'invalid_parameter', faulty });
const conflict = (...faulty: string[]): Expected => ({ refused: 'conflicting_parameters', faulty });

/** Every form a whole number must not have; `0` and `00` are out of bounds by value. */
const notWhole = [
  ...['', '0', '-100', '%2B100', '1e2', '100.5', '%20100', '100%20', '1%20000', '0x64', 'abc', '100%0A'],
  '%D9%A1%D9%A0%D9%A0',
  '9'.repeat(400),
];

const ofSide = (side: 'width' | 'height'): Row[] => [
  [`?query=sea&${side}=100`, valid({ [`${side}Px`]: 100 })],
  [`?query=sea&${side}=101`, valid({ [`${side}Px`]: 101 })],
  [`?query=sea&${side}=3999`, valid({ [`${side}Px`]: 3999 })],
  [`?query=sea&${side}=4000`, valid({ [`${side}Px`]: 4000 })],
  [`?query=sea&${side}=0100`, valid({ [`${side}Px`]: 100 })],
  [`?query=sea&${side}=${'0'.repeat(300)}640`, valid({ [`${side}Px`]: 640 })],
  [`?query=sea&${side}=99`, invalid(side)],
  [`?query=sea&${side}=4001`, invalid(side)],
  ...notWhole.map((text): Row => [`?query=sea&${side}=${text}`, invalid(side)]),
  [`?query=sea&${side}=500&${side}=500`, invalid(side)],
];

const ofChoice = (choice: 'variation' | 'alt'): Row[] => [
  [`?query=sea&provider=ai&${choice}=1`, valid({ [choice]: 1 })],
  [`?query=sea&provider=ai&${choice}=10`, valid({ [choice]: 10 })],
  [`?query=sea&provider=ai&${choice}=007`, valid({ [choice]: 7 })],
  [`?query=sea&${choice}=5`, valid({ provider: 'stock_a', [choice]: undefined })],
  [`?query=sea&provider=ai&${choice}=11`, invalid(choice)],
  [`?query=sea&${choice}=11`, invalid(choice)],
  ...['', '0', '-1', '1.0', '1e0', '%201', '%2B1', 'one'].map(
    (text): Row => [`?query=sea&provider=ai&${choice}=${text}`, invalid(choice)],
  ),
  [`?query=sea&provider=ai&${choice}=1&${choice}=2`, invalid(choice)],
];

/** Values of a parameter, apart by spaces, and what the request has of each. */
const accepted = (name: string, texts: string, fieldsOf: (text: string) => object = () => ({})): Row[] =>
  texts.split(' ').map((text) => [`?query=sea&${name}=${text}`, valid({ ...fieldsOf(text) })]);
/** Values that a parameter refuses, as it does an empty one. */
const refused = (name: string, texts: string): Row[] =>
  ['', ...texts.split(' ')].map((text) => [`?query=sea&${name}=${text}`, invalid(name)]);

const queries: readonly Row[] = [
  ['?query=sea', valid({ query: 'sea', provider: 'stock_a', widthPx: 1920, heightPx: 1080, asJson: false })],
  ['?query=s', valid({ query: 's' })],
  ['?query=mountain+lake', valid({ query: 'mountain lake' })],
  ['?query=%20%20mountain%20%20%20lake%20', valid({ query: 'mountain lake' })],
  ['?query=mountain%C2%A0lake', valid({ query: 'mountain lake' })],
  ['?query=mountain%0D%0Alake', valid({ query: 'mountain lake' })],
  ['?query=Mountain%20LAKE', valid({ query: 'Mountain LAKE' })],
  ['?query=mountain-lake_x', valid({ query: 'mountain-lake_x' })],
  ['?query=a%2Bb', valid({ query: 'a+b' })],
  ['?query=50%25', valid({ query: '50%' })],
  ['?query=%2520', valid({ query: '%20' })],
  ['?query=a=b', valid({ query: 'a=b' })],
  ['?query=%3Cscript%3E', valid({ query: '<script>' })],
  ['?query=cafe%CC%81', valid({ query: 'café' })],
  ['?query=%EF%BC%A3afe', valid({ query: 'Cafe' })],
  ['?query=%EF%AC%81re', valid({ query: 'fire' })],
  ['?query=%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80', valid({ query: '👩‍🚀' })],
  ['?query=%D9%82%D8%B7', valid({ query: 'قط' })],
  [`?query=%20${'a'.repeat(200)}%20`, valid({ query: 'a'.repeat(200) })],
  [`?query=a${'%20'.repeat(300)}b`, valid({ query: 'a b' })],
  [`?query=${'%F0%9F%8C%8A'.repeat(200)}`, valid({ query: '🌊'.repeat(200) })],
  [`?query=${'e%CC%81'.repeat(200)}`, valid({ query: 'é'.repeat(200) })],
  [`?query=${'%F0%9F%8C%8A'.repeat(201)}`, invalid('query')],
  // One ligature that normalisation writes out as 18 characters.
  [`?query=${'%EF%B7%BA'.repeat(11)}`, valid()],
  [`?query=${'%EF%B7%BA'.repeat(12)}`, invalid('query')],
  ['', invalid('query')],
  ['?query', invalid('query')],
  ['?query=', invalid('query')],
  ['?query=%E3%80%80%C2%A0', invalid('query')],
  ['?query=-_%20-', invalid('query')],
  [`?query=${'-'.repeat(150)}${'a'.repeat(51)}`, invalid('query')],
  ['?Query=sea', invalid('query')],
  ['?query=sea%00', invalid('query')],
  ['?query=%1B%5B31m', invalid('query')],
  ['?query=sea%7F', invalid('query')],
  ['?query=sea%C2%85', invalid('query')],
  ['?query=sea%EF%BF%BD', invalid('query')],
  ['?query=50%', invalid('query')],
  ['?query=%E3%81', invalid('query')],
  ['?query=sea&seed=%C3%28', invalid('seed')],
  ['?query=sea&t=50%', valid({ query: 'sea' })],
  ['?query=sea&%ZZ=1&t=%E3%81', valid({ query: 'sea' })],
  ['?query=sea&query=sea', invalid('query')],
  ['?query=sea&query=', invalid('query')],
];

const choicesOfWords: readonly Row[] = [
  ...accepted('provider', 'stock_a stock_b stock_c', (provider) => ({ provider })),
  ...refused('provider', 'AI Stock_a stock_d stock-a unsplash %20ai ai%20 ai,stock_a'),
  ['?query=sea&provider=ai&provider=ai', invalid('provider')],
  ...accepted('provider=ai&style', 'photo minimal dark illustration', (style) => ({ style })),
  ['?query=sea&provider=ai', valid({ style: 'photo', visibility: 'private' })],
  ...accepted('style', 'dark', () => ({ style: undefined })),
  ...refused('style', 'Photo oil dark,photo'),
  ...accepted('provider=ai&visibility', 'public private', (visibility) => ({ visibility })),
  ...accepted('visibility', 'public', () => ({ visibility: undefined })),
  ...refused('visibility', 'PUBLIC secret'),
  ...accepted('label', 'corner corner&provider=ai', () => ({ label: 'corner' })),
  ...refused('label', 'Corner left true'),
  ...accepted('format', 'json', () => ({ asJson: true })),
  ...refused('format', 'JSON placeholder'),
  ...accepted('seed', '42', (seed) => ({ seed })),
  ['?query=sea&seed=', valid({ seed: '' })],
  ['?query=sea&seed=Blue%20%20Hour', valid({ seed: 'Blue Hour' })],
  ['?query=sea&provider=ai&seed=42', valid({ seed: undefined })],
  [`?query=sea&seed=${'x'.repeat(64)}`, valid({ seed: 'x'.repeat(64) })],
  [`?query=sea&seed=${'x'.repeat(65)}`, invalid('seed')],
  ['?query=sea&seed=%00', invalid('seed')],
  ['?query=sea&seed=1&seed=1', invalid('seed')],
];

const filters: readonly Row[] = [
  ...accepted('avoid', 'text', () => ({ filters: { avoid: ['text'] } })),
  ...accepted('avoid', 'text,people,text', () => ({ filters: { avoid: ['people', 'text'] } })),
  ...refused('avoid', 'Text people, ,people people%20text animals'),
  ...accepted('color', 'brown A0fF07', (color) => ({ filters: { color: color.toLowerCase() } })),
  ...refused('color', 'Brown teal %23a0ff07 a0ff0 a0ff070 a0ff0g'),
  ...accepted('license', 'any', () => ({ filters: {} })),
  ...accepted('license', 'attribution-free public-domain', (license) => ({ filters: { license } })),
  ...refused('license', 'Any cc0'),
  ...accepted('lang', 'de pt-BR YUE-Hant-HK-12345678', (lang) => ({ filters: { lang: lang.toLowerCase() } })),
  ...refused('lang', 'd germ d1 de_AT de- de-a de-123456789 de-ab-ab-ab-ab %EF%BD%84e'),
  ...accepted('crop', 'attention', () => ({ filters: {} })),
  ...accepted('crop', 'center faces top bottom left right', (crop) => ({ filters: { crop } })),
  ...refused('crop', 'Top middle'),
  ...accepted('onmiss', 'ai', () => ({ filters: { onmiss: 'ai' } })),
  ...refused('onmiss', 'AI stock_b'),
];

const others: readonly Row[] = [
  ...accepted('pick', '0123456789abcdef0123', (pick) => ({ pick })),
  ...refused('pick', '0123456789abcdef012 0123456789abcdef01234 0123456789ABCDEF0123'),
  ...accepted('publish', 'true false sg_live_x site_live_x'),
  ...refused('publish', 'True sg_ site_ xsg_a pk_live_a'),
  ...accepted('expires', '0 999999999999'),
  ...refused('expires', '1000000000000 -1 1e9'),
  ...refused('upto', '800 99x100 800x4001 800x600'),
  ['?query=sea&seed=%EF%BC%91', valid({ seed: '1' })],
  ['?query=sea&api_key=', valid()],
  ['?query=sea&api_key=anything', valid()],
  ['?query=sea&api_key=a&api_key=b', valid()],
  ['?q=sea&w=300&h=200', valid({ query: 'sea', widthPx: 300, heightPx: 200 })],
  ['?query=sea&amp;width=300&amp;amp;h=200', valid({ query: 'sea', widthPx: 300, heightPx: 200 })],
  ['?query=sea&amp%3Bwidth=300', valid({ widthPx: 300 })],
  ['?amp;q=sea', valid({ query: 'sea' })],
  ['?query=sea;width=300', valid({ query: 'sea;width=300', widthPx: 1920 })],
  ['?query=sea&q=sea', invalid('query')],
  ['?query=sea&width=300&w=300', invalid('width')],
  ['?query=sea&height=300&amp;height=300', invalid('height')],
  ['?query=sea&w=99', invalid('width')],
  ['?query=sea&t=123', valid()],
  ['?query=sea&t=1&t=2&Width=1&__proto__=1&constructor=2', valid({ widthPx: 1920 })],
  ['?query=sea&&', valid()],
  ['?query=sea&provider=ai&variation=1&alt=1', conflict('variation', 'alt')],
  ['?query=sea&variation=1&alt=1', conflict('variation', 'alt')],
  ['?query=sea&variation=0&alt=1', invalid('variation', 'variation', 'alt')],
  [
    '?width=1&height=x&provider=z&style=q&variation=0&visibility=y&seed=%00&format=p',
    invalid('query', 'width', 'height', 'provider', 'style', 'variation', 'visibility', 'seed', 'format'),
  ],
  ['?query=a&query=b&width=99&width=5000', invalid('query', 'width')],
];

const paths: readonly Row[] = [
  ['1920x1080-mountain-lake', valid({ query: 'mountain lake', widthPx: 1920, heightPx: 1080 })],
  ['100x4000-sea', valid({ widthPx: 100, heightPx: 4000 })],
  ['0100x000200-sea', valid({ widthPx: 100, heightPx: 200 })],
  ['800x600_mountain_lake', valid({ query: 'mountain lake' })],
  ['800x600+mountain+lake', valid({ query: 'mountain lake' })],
  ['800x600-mountain%2Blake', valid({ query: 'mountain lake' })],
  ['800x600--mountain-_+lake-', valid({ query: 'mountain lake' })],
  ['800x600-mountain lake', valid({ query: 'mountain lake' })],
  ['800x600-a%2Fb', valid({ query: 'a b' })],
  ['300x200-day/night', valid({ query: 'day night', widthPx: 300, heightPx: 200 })],
  ['300x200/day//night/', valid({ query: 'day night' })],
  ['/300x200-day', valid({ query: 'day', widthPx: 300 })],
  ['800x600-mountain-lake%2Ewebp', valid({ query: 'mountain lake' })],
  ['800x600-mountain-lake.avif/', valid({ query: 'mountain lake' })],
  ['800x600-st.-moritz', valid({ query: 'st. moritz' })],
  ['800x600-sea.jpg.webp', valid({ query: 'sea.jpg' })],
  ...['gif', 'GIF', 'svg', 'bmp', 'tif'].map((end): Row => [`800x600-sea.${end}`, valid({ query: 'sea' })]),
  ['800x600-sea.tgz', valid({ query: 'sea.tgz' })],
  ['800x600-jpg', valid({ query: 'jpg' })],
  ['800x600-%2520', valid({ query: '%20' })],
  ['800x600-800x600-box', valid({ query: '800x600 box' })],
  ['800x600-sea?provider=ai&style=dark&variation=3', valid({ style: 'dark', variation: 3 })],
  ['800x600-sea?provider=stock_b&seed=7&format=json&v=1', valid({ seed: '7', asJson: true })],
  [`800x600-${'a'.repeat(201)}`, invalid('query')],
  ['800x600', invalid('query')],
  ['800x600-.png', invalid('query')],
  ['800x600-', invalid('query')],
  ['800x600-___', invalid('query')],
  ['99x600-sea', invalid('width')],
  ['800x4001-sea', invalid('height')],
  ['99x4001-', invalid('width', 'height', 'query')],
  ['-800x600-sea', invalid('width')],
  ['800x-600-sea', invalid('height')],
  ['800%20x600-sea', invalid('width')],
  ['800x-sea', invalid('height')],
  [`${'9'.repeat(400)}x600-sea`, invalid('width')],
  ['x600-sea', invalid('path')],
  ['800X600-sea', invalid('path')],
  ['sea', invalid('path')],
  ['%2F800x600-sea', invalid('path')],
  ['800x600-50%', invalid('path')],
  ['800x600-%ED%A0%80', invalid('path')],
  ['800x600-%?width=9', invalid('path', 'width')],
  ['sea?style=oil&provider=q', invalid('path', 'style', 'provider')],
  ['800x600-sea?query=sea', conflict('query')],
  ['800x600-sea?query=', conflict('query')],
  ['800x600-sea?width=800', conflict('width')],
  ['800x600-sea?w=800', conflict('width')],
  ['800x600-sea?height=600', conflict('height')],
  ['800x600-sea?query=a&width=1&height=x', conflict('query', 'width', 'height')],
  ['800x600-sea?provider=ai&variation=1&alt=2&width=5', conflict('variation', 'alt', 'width')],
  ['99x600-sea?width=800', invalid('width', 'width')],
  ['800x600-sea?provider=z&height=1', invalid('provider', 'height')],
  ['800x600-sea?seed=a&seed=b', invalid('seed')],
];

export const rows: readonly Row[] = [
  ...queries,
  ...ofSide('width'),
  ...ofSide('height'),
  ...choicesOfWords,
  ...filters,
  ...ofChoice('variation'),
  ...ofChoice('alt'),
  ...others,
  ...paths,
];
