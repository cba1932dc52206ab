/** Tests the words of images, and the initials that are drawn for persons. */

import type { FillOptions } from '../../src/pages/find-images';
import { box, fill, mug } from './filled';

const findQuery = async (writeHtml: string) => {
  const { report } = await fill(writeHtml);
  const [row] = report.filter(({ outcome }) => outcome !== 'kept');
  return row?.outcome === 'drawn' ? `drawn: ${row.query}` : row?.query;
};

test.each([
  [`<img src="${box}" alt="Cup" data-image-query="blue mug">`, 'blue mug'],
  ...['---', '_', '\u00ad', '\ufffd', '－ ＿'].map((wordless) => [
    `<img src="${box}" data-image-query="${wordless}" data-query="42" alt="Cup">`,
    '42',
  ]),
  [`<img src="${box}" data-image-query="---" alt="A blue mug">`, 'A blue mug'],
  [`<img src="${box}" data-image-query="${'1'.repeat(199)}🏔🏔">`, `${'1'.repeat(199)}🏔`],
  [`<img src="${box}?text=Cup" alt="A blue mug">`, 'A blue mug'],
  [`<img src="${box}" alt="..." aria-label="A blue mug">`, 'A blue mug'],
  [`<img src="${box}" title="A blue mug" alt="">`, 'A blue mug'],
  [`<figure><img src="${box}"><figcaption>A <b>blue</b> mug</figcaption></figure>`, 'A blue mug'],
  [`<h2>Shop</h2><a href="/"><img src="${box}?text=Cup"><span>Blue mug</span><p>€ 9</p></a>`, 'Blue mug'],
  [`<ul><li><img src="${box}"><p>Add to cart</p><p>Blue mug</p></li></ul>`, 'Blue mug'],
  [`<h2>Shop</h2><img src="${box}?text=Blue+mug">`, 'Blue mug'],
  [`<h1>Shop</h1><div><img src="${box}"><h3>Blue mug</h3></div>`, 'Blue mug'],
  [`<h2>Plates</h2><h3>Blue mug</h3><img src="${box}"><h3>Spoon</h3>`, 'Blue mug'],
  [`<div><img src="${box}"><p role="heading">Blue mug</p></div>`, 'Blue mug'],
  [`<h1>Shop</h1><div><img src="${box}"><p class="h4">Blue mug</p></div>`, 'Blue mug'],
  [`<h1>Shop</h1><div><img src="${box}"><p class="card-title">Blue mug</p></div>`, 'Blue mug'],
  [`<h1>Shop</h1><button><img src="${box}">Blue mug</button>`, 'Blue mug'],
  [`<meta property="og:image:alt" content="Blue mug"><title>Shop</title><img src="${box}">`, 'Blue mug'],
  [`<title>Blue mug</title><img src="${box}">`, 'Blue mug'],
  [
    `<style>.a{background:url(${box})}</style><h1>Cups</h1><p class="b a">x</p><p class="a" title="Mug">x</p>`,
    'Cups',
  ],
  ['<img src="https://example.com/blue-mug-2.jpg">', 'blue mug'],
  [`<img src="${box}" alt="blue-mug_03.jpg">`, 'blue mug'],
  ...`image|Product 1|First slide|IMG_2034.JPG|Card image cap|JD|...|Product Image|logo.png|Your image here|Slide 2 of 3
No Image|Lorem ipsum dolor sit amet|600x400|Team member 3|img|Generic placeholder image|Photo|{{ name }}|[ALT]|@item.Name
#{name}|https://a.test/b|Alt text|Untitled design|Screen Shot 2021-03-04 at 10.22.11|WhatsApp Image 2020-01-02
pexels-photo-1234|Imagem do produto|Click to enlarge|Bild|画像 2`
    .split(/[|\n]/)
    .map((alt) => [`<h2>Blue mug</h2><img src="${box}" alt="${alt}">`, 'Blue mug']),
  ...'Allgäu|湖|みずうみ|호수|Our team|Product photography studio|Sunset @ the harbor'
    .split('|')
    .map((alt) => [`<h2>Blue mug</h2><img src="${box}" alt="${alt}">`, alt]),
])('fillHtml reads from %s the words: %s', async (html, words) => {
  expect(await findQuery(html ?? '')).toBe(words);
});

test.each<readonly [html: string, words: string]>([
  [`<img class="rounded-full" src="${box}" alt="Portrait of Mara Lindt">`, 'drawn: Portrait of Mara Lindt'],
  [`<div class="teamCard"><img src="${box}" alt="Mara Lindt, baker"></div>`, 'drawn: Mara Lindt, baker'],
  [
    `<div class="comment"><img src="${box}" alt="..."><b>Mara Lindt</b><p>Nice!</p></div>`,
    'drawn: Mara Lindt',
  ],
  ['<img src="https://i.pravatar.cc/80" alt="Mara Lindt">', 'drawn: Mara Lindt'],
  [`<div class="comment"><img src="${box}"><b>Maria da Silva</b></div>`, 'drawn: Maria da Silva'],
  [
    `<h1>Bakers</h1><div class="team"><p><img src="${box}"></p><p><img src="a.png"><b>Ben Okafor</b></p></div>`,
    'Bakers',
  ],
  ...`avatar avatars author authors testimonial testimonials profile profiles speaker speakers founder founders
    headshot headshots reviewer reviewers review reviews comment comments commenter commenters bio team teams member
    members staff user users`
    .split(/\s+/)
    .map(
      (name) => [`<p class="${name}"><img src="${box}" alt="Mara Lindt"></p>`, 'drawn: Mara Lindt'] as const,
    ),
  ...['Portrait of', 'headshot of', 'Avatar of', 'Retrato de', 'retrato da'].map(
    (before) => [`<img src="${box}" alt="${before} Mara Lindt">`, `drawn: ${before} Mara Lindt`] as const,
  ),
  ...['Dr.', 'Dra.', 'Prof. Dr.', 'Mr.', 'Mrs', 'Ms', 'Herr', 'Frau'].map(
    (title) =>
      [
        `<div class="team"><figure><img src="${box}"><figcaption>${title} Mara Lindt</figcaption></figure><figure><img src="a.png"><b>Ben Okafor</b></figure></div>`,
        'drawn: Mara Lindt',
      ] as const,
  ),
  [
    `<div class="testimonial"><img src="${box}" alt="Happy customer"><cite>Mara Lindt</cite></div>`,
    'drawn: Happy customer',
  ],
  [`<img class="avatar" src="${box}" alt="山田太郎">`, 'drawn: 山田太郎'],
  [`<img class="brand-logo" src="${box}" alt="Acme">`, 'drawn: Acme'],
  [`<div class="steam"><img src="${box}" alt="Steamed Pork Buns"></div>`, 'Steamed Pork Buns'],
  [`<div class="membership"><img src="${box}" alt="Wood Fired Pizza"></div>`, 'Wood Fired Pizza'],
  [
    `<div class="team"><img src="${box}" alt="our office at night"><b>Since 1990</b></div>`,
    'our office at night',
  ],
  ...['Eiffel Tower at night', 'Photo of Mount Fuji', 'Our Team', 'Marketing Team'].map(
    (alt) => [`<div class="reviews team"><img src="${box}" alt="${alt}"></div>`, alt] as const,
  ),
  [`<div class="reviews"><img src="${box}" alt="Eiffel Tower"><b>Mara Lindt</b></div>`, 'Eiffel Tower'],
  ...['Wayne Bridge', 'Jimmy Page', 'Mai Le'].map(
    (alt) => [`<div class="team"><img src="${box}" alt="${alt}"></div>`, `drawn: ${alt}`] as const,
  ),
  [
    `<div class="team"><img src="${box}" alt="Mara Lindt at the Eiffel Tower"></div>`,
    'drawn: Mara Lindt at the Eiffel Tower',
  ],
  [
    `<div class="review"><img src="${box}" alt="Happy Customer"><b>Mara Lindt</b></div>`,
    'drawn: Happy Customer',
  ],
])('fillHtml finds for the person or logo in %s: %s', async (html, words) => {
  expect(await findQuery(html)).toBe(words);
});

test('a query of fillHtml has at most 200 characters and whole words', async () => {
  const long = 'blue mug '.repeat(30);
  expect(await findQuery(`<img src="${box}" alt="${long}">`)).toBe(
    `${'blue mug '.repeat(22)}bl`.slice(0, -3),
  );
  expect(await findQuery(`<img src="${box}" alt="${'x'.repeat(200)}">`)).toBe('x'.repeat(200));
});

test('fillHtml sends the language of the page or of the option', async () => {
  const html = (inside: string) => `<html lang="de"><p lang="pt-BR">${inside}</p>`;
  const findLang = async (page: string, options?: FillOptions) =>
    (await fill(page, options)).requested[0]?.lang;
  expect(await findLang(html(mug))).toBe('pt-BR');
  expect(await findLang(html(`<img src="${box}?text=blue+mug">`))).toBeUndefined();
  expect(await findLang(html(mug), { lang: 'fr' })).toBe('fr');
  expect(await findLang(`<p lang="sl-Latn-IT-rozaj-biske">${mug}`)).toBe('sl-Latn-IT-rozaj');
});

test.each([
  ['Ada King Lovelace', 'AL'],
  ['Ludwig van Beethoven', 'LB'],
  ['山田太郎', '山'],
])('fillHtml draws for %s the initials %s', async (name, letters) => {
  const initials = new RegExp(`fill="#d8d5cf"/><text [^>]*>${letters}</text></svg>$`);
  expect(await readDrawing('#0C6B58', name)).toMatch(initials);
});

test('fillHtml draws a box in the tone of the page', async () => {
  expect(await readDrawing('#0C6B58', '')).toMatch(
    /^data:image\/svg\+xml,<svg [^>]* width="600" height="400" [^>]*><rect [^>]* fill="#0C6B58"\/><\/svg>$/,
  );
  expect(await readDrawing('&quot;/><script>', '')).not.toContain('script');
});

async function readDrawing(tone: string, alt: string): Promise<string> {
  const page = `<meta name="theme-color" content="${tone}"><img class="avatar" src="${box}" alt="${alt}">`;
  const { report } = await fill(page);
  return decodeURIComponent(report[0]?.src ?? '');
}
