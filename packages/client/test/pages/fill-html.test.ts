/** Pages as programs and people write them: what is filled, what stays and why, and what is written. */

import type { FillOptions } from '../../src/pages/fill';
import { type FindImages, fillHtml } from '../../src/pages/fill-html';
import { fakeService, pickOf } from './fake-service';

const box = 'https://placehold.co/600x400';
const mug = `<img src="${box}" alt="A blue mug">`;

/** A table, one part of which has a background. */
const tableWith = (tag: string) =>
  '<table><thead><tr><th>a</thead><tbody></tbody><tfoot></tfoot></table>'.replace(
    `<${tag}>`,
    `<${tag} background="${box}">`,
  );

async function fill(html: string, options: FillOptions = {}, service = fakeService()) {
  const page = await fillHtml(html, service.find, options);
  return { ...page, requested: service.requested, calls: service.calls };
}
const rows = async (html: string, options?: FillOptions) =>
  (await fill(html, options)).report.map(({ outcome, reason }) => `${outcome} ${reason}`);
const query = async (html: string) => {
  const { report } = await fill(html);
  const [row] = report.filter(({ outcome }) => outcome !== 'kept');
  return row?.outcome === 'drawn' ? `drawn: ${row.query}` : row?.query;
};

describe('judged images', () => {
  it.each<readonly [html: string, row: string]>([
    [mug, 'filled placeholder'],
    [`<img srcset="${box} 1x, ${box} 2x" alt="Mug">`, 'filled placeholder'],
    [`<noscript>${mug}</noscript>`, 'filled placeholder'],
    [`<video poster="${box}" title="Mugs"></video>`, 'filled placeholder'],
    [`<svg><image href="${box}" aria-label="Mug"/></svg>`, 'filled placeholder'],
    [`<svg><image xlink:href="${box}" aria-label="Mug"/></svg>`, 'filled placeholder'],
    [`<picture title="Mug"><source srcset="${box}"></picture><h1>Mug</h1>`, 'filled placeholder'],
    ['<img src="https://images.unsplash.com/photo-mug" alt="Mug">', 'filled invented'],
    ['<img src="/mug.jpg" data-image-query="blue mug">', 'filled asked'],
    [`<img src="${box}" data-ai-hint="blue mug">`, 'filled asked'],
    ['<img src="" alt="A blue mug">', 'filled empty'],
    ['<img alt="A blue mug">', 'filled empty'],
    ['<img src="#" alt="A blue mug" class="shelf" width="60">', 'filled empty'],
    [`<img src="${box}" alt="">`, 'drawn placeholder'],
    [`<meta property="og:image" content="${box}">`, 'left no_words'],
    ['<img src="assets/mug.jpg" alt="Mug">', 'kept owner'],
    ['<img src="https://cdn.shop.test/mug.jpg" alt="Mug">', 'kept unknown'],
    ['<img src="https://images.pexels.com/photos/36764/mug.jpg" alt="Mug">', 'kept unknown'],
    [`<img src="${box}" data-image-keep alt="Mug">`, 'kept owner'],
    [`<img src="${box}" srcset="mug.jpg 2x" alt="Mug">`, 'kept owner'],
    [`<img src="${box}" srcset="https://cdn.shop.test/mug.jpg 2x" alt="Mug">`, 'kept unknown'],
    [`<img src="${box}" data-src="mug.jpg" alt="Mug">`, 'kept script'],
    [`<img src="${box}" data-original="/mug.jpg" alt="Mug">`, 'kept script'],
    ['<img data-lazy-srcset="mug.jpg" alt="A blue mug">', 'kept script'],
    ['<img data-zoom="/mug.jpg" alt="A blue mug">', 'kept script'],
    ['<img onload="show()" alt="A blue mug">', 'kept script'],
    ['<img id="big" src="" alt="A blue mug"><script>big.show()</script>', 'kept script'],
    ['<img id="big-3" alt="A blue mug"><script>$("#big-"+i)[0].src=a</script>', 'kept script'],
    ['<img class="a b" alt="A blue mug"><script>$(".b").show()</script>', 'kept script'],
    ['<img name="pic" alt="A blue mug"><b onclick="pic.src=1">', 'kept script'],
    ['<p class="f"><img alt="A mug"></p><script>q(".f img").src=a</script>', 'kept script'],
    ['<img alt="A mug"><script>$("img").each(i=>i.src=a)</script>', 'kept script'],
    ['<img id="x" alt="A blue mug"><script src="a.js"></script>', 'kept script'],
    ['<img alt="A blue mug"><script src="a.js"></script>', 'filled empty'],
    ['<img id="x" alt="A blue mug"><script>y()</script>', 'filled empty'],
    ['<img hidden src="" alt="A blue mug">', 'kept owner'],
    ['<p style="display: none"><img alt="A blue mug"></p>', 'kept owner'],
    ['<img src="" alt="your image">', 'kept unknown'],
    ['<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Mug">', 'kept owner'],
    ...[':src', 'v-bind:src', '[src]', 'ng-src', 'th:src', 't-att-src'].map(
      (name) => [`<img ${name}="a" alt="A blue mug">`, 'kept template'] as const,
    ),
    ...'v-if x-show ng-if th:alt uk-img wire:key hx-get bind use:a slot @load (a) #a *a .a'
      .split(' ')
      .map((name) => [`<img ${name}="a" alt="A blue mug">`, 'kept template'] as const),
    ...'hidden is-hidden d-none invisible'
      .split(' ')
      .map((name) => [`<p class="a ${name}"><img alt="A blue mug"></p>`, 'kept owner'] as const),
    ['<img style="visibility:hidden" alt="A blue mug">', 'kept owner'],
    ...'pre samp kbd'.split(' ').map((tag) => [`<${tag}>${mug}</${tag}>`, 'kept code'] as const),
    ...'data-query data-unsplash-query data-image-prompt'
      .split(' ')
      .map((name) => [`<img src="/mug.jpg" ${name}="blue mug">`, 'filled asked'] as const),
    ...'og:image:url og:image:secure_url twitter:image:src'
      .split(' ')
      .map(
        (name) => [`<title>Mug</title><meta name="${name}" content="${box}">`, 'filled placeholder'] as const,
      ),
    ...'table thead tbody tfoot tr th'.split(' ').map((tag) => [tableWith(tag), 'kept unknown'] as const),
    [`<body background="${box}">`, 'kept unknown'],
    [`<embed src="${box}">`, 'kept unknown'],
    [`<map><area href="${box}"></map>`, 'kept link'],
    ['<img src="" alt="A blue mug" class="{{ c }}">', 'kept template'],
    ['<img src="https://placehold.co/{{ w }}" alt="Mug">', 'kept template'],
    [`<h2>Blue mugs</h2><img src="${box}" alt="{{ name }}">`, 'filled placeholder'],
    [`<code>${mug}</code>`, 'kept code'],
    [`<template>${mug}</template>`, 'kept code'],
    [`{% comment %}${mug}{% endcomment %}`, 'kept code'],
    [`{% highlight html %}${mug}{% endhighlight %}`, 'kept code'],
    [`<a href="${box}">Mug</a>`, 'kept link'],
    [`<link rel="canonical" href="https://example.com/a.png">`, 'kept link'],
    [`<script>const a = "${box}"</script>`, 'kept script'],
    [`<table><tr><td background="${box}">x</td></tr></table>`, 'kept unknown'],
    [`<input type="image" src="${box}" alt="Mug">`, 'kept unknown'],
    [`<amp-img src="${box}"></amp-img>`, 'kept unknown'],
    [`<p data-bg="${box}">x</p>`, 'kept script'],
    ['<img alt="A mug"><script>t=d.createElement("script");t.src=a</script>', 'filled empty'],
    [`<object data="${box}"></object>`, 'kept unknown'],
    [`<ul style="list-style:url(${box})"><li>Mug</li></ul>`, 'kept unknown'],
    [`<link rel="preload" as="image" href="${box}">`, 'kept unknown'],
    ...[
      `background:url(${box})`,
      `BACKGROUND-IMAGE: URL('${box}')`,
      `background: #fff url(&quot;${box}&quot;) no-repeat`,
      `background: linear-gradient(red, blue), url( ${box} )`,
      `--cover: url(${box})`,
      `background-image:image-set('${box}' 1x)`,
    ].map((style) => [`<h2>Mugs</h2><p style="${style}">x</p>`, 'filled placeholder'] as const),
  ])('the image of %s is %s', async (html, row) => {
    expect(await rows(html)).toEqual([row]);
  });

  it.each([
    ['a comment', `<!-- ${mug} -->`],
    ['a comment in CSS', `<style>/* a{background:url(${box})} */</style>`],
    ['a font', `<style>@font-face{src:url(${box})}</style>`],
    ['a part of the page', '<p style="filter:url(#mug)">x</p>'],
    ['another text', `<p>${box}</p>`],
    ['a video without a poster', '<video src="a.mp4"></video>'],
  ])('%s has no row in the report', async (_about, html) => {
    expect(await rows(html)).toEqual([]);
  });

  it('replaceStock replaces photos that may be real, isGone those that are gone', async () => {
    const page =
      '<img src="https://cdn.pixabay.com/photo/2016/a_960_720.png" alt="Mug"><img src="http://a.test/1.jpg" alt="Cup">';
    const gone = { isGone: async (url: string) => url === 'http://a.test/1.jpg' };
    expect(await rows(page)).toEqual(['kept unknown', 'kept unknown']);
    expect(await rows(page, { replaceStock: true })).toEqual(['filled stock', 'kept unknown']);
    expect(await rows(page, gone)).toEqual(['kept unknown', 'filled missing']);
    for (const kept of ['src="gone.jpg"', 'src="http://a.test/1.jpg" data-image-keep'])
      expect(await rows(`<img ${kept} alt="Mug">`, { isGone: async () => true })).toEqual(['kept owner']);
  });

  it('a photo that a page uses twice stays', async () => {
    const photo = 'https://images.unsplash.com/photo-1501785888041-af3ef285b470';
    const page = `<meta property="og:image" content="${photo}"><img src="${photo}" alt="Front"><img src="${photo}" alt="Back">`;
    expect((await fill(page)).html).toBe(page);
  });
});

describe('words of an image', () => {
  it.each([
    [`<img src="${box}" alt="Cup" data-image-query="blue mug">`, 'blue mug'],
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
  ])('the words of %s are %s', async (html, words) => {
    expect(await query(html ?? '')).toBe(words);
  });

  it.each<readonly [html: string, words: string]>([
    [`<img class="avatar" src="${box}" alt="Mara Lindt">`, 'drawn: Mara Lindt'],
    [`<img class="rounded-full" src="${box}" alt="Portrait of Mara Lindt">`, 'drawn: Portrait of Mara Lindt'],
    [`<div class="teamCard"><img src="${box}" alt="Mara Lindt, baker"></div>`, 'drawn: Mara Lindt, baker'],
    [
      `<div class="comment"><img src="${box}" alt="..."><b>Mara Lindt</b><p>Nice!</p></div>`,
      'drawn: Mara Lindt',
    ],
    ['<img src="https://i.pravatar.cc/80" alt="Mara Lindt">', 'drawn: Mara Lindt'],
    [`<div class="comment"><img src="${box}"><b>Maria da Silva</b></div>`, 'drawn: Maria da Silva'],
    [
      `<div class="team"><figure><img src="${box}"><figcaption>Dr. Mara Lindt</figcaption></figure><figure><img src="a.png"><b>Ben Okafor</b></figure></div>`,
      'drawn: Mara Lindt',
    ],
    [
      `<h1>Bakers</h1><div class="team"><p><img src="${box}"></p><p><img src="a.png"><b>Ben Okafor</b></p></div>`,
      'Bakers',
    ],
    ...`avatar avatars author authors testimonial testimonials profile profiles speaker speakers founder founders
      headshot headshots reviewer reviewers review reviews comment comments commenter commenters bio team teams member
      members staff user users`
      .split(/\s+/)
      .map(
        (name) =>
          [`<p class="${name}"><img src="${box}" alt="Mara Lindt"></p>`, 'drawn: Mara Lindt'] as const,
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
  ])('the words of %s are %s', async (html, words) => {
    expect(await query(html)).toBe(words);
  });

  it('a query has whole words and at most 200 characters', async () => {
    const long = 'blue mug '.repeat(30);
    expect(await query(`<img src="${box}" alt="${long}">`)).toBe(`${'blue mug '.repeat(22)}bl`.slice(0, -3));
    expect(await query(`<img src="${box}" alt="${'x'.repeat(200)}">`)).toBe('x'.repeat(200));
  });

  it('a query has the language of the options, else of the page, but none for words of a URL', async () => {
    const html = (inside: string) => `<html lang="de"><p lang="pt-BR">${inside}</p>`;
    const lang = async (page: string, options?: FillOptions) =>
      (await fill(page, options)).requested[0]?.lang;
    expect(await lang(html(mug))).toBe('pt-BR');
    expect(await lang(html(`<img src="${box}?text=blue+mug">`))).toBeUndefined();
    expect(await lang(html(mug), { lang: 'fr' })).toBe('fr');
  });
});

it.each([
  ['Ada King Lovelace', 'AL'],
  ['Ludwig van Beethoven', 'LB'],
  ['山田太郎', '山'],
])('the initials of %s are %s, and a box without them has the tone of the page', async (name, letters) => {
  const page = '<meta name="theme-color" content="TONE"><img class="avatar" src="BOX" alt="ALT">';
  const drawn = async (tone: string, alt: string) => {
    const { report } = await fill(page.replace('TONE', tone).replace('BOX', box).replace('ALT', alt));
    return decodeURIComponent(report[0]?.src ?? '');
  };
  expect(await drawn('#0C6B58', name)).toMatch(
    new RegExp(`fill="#d8d5cf"/><text [^>]*>${letters}</text></svg>$`),
  );
  expect(await drawn('#0C6B58', '')).toMatch(
    /^data:image\/svg\+xml,<svg [^>]* width="600" height="400" [^>]*><rect [^>]* fill="#0C6B58"\/><\/svg>$/,
  );
  expect(await drawn('&quot;/><script>', '')).not.toContain('script');
});

describe('size of an image', () => {
  it.each<readonly [html: string, width: number, height: number]>([
    ['<img src="" alt="Mug" width="300" height="200">', 300, 200],
    ['<img src="https://placehold.co/900x300" alt="Mug" width="300">', 300, 100],
    ['<img src="https://placehold.co/900x300" alt="Mug">', 900, 300],
    ['<img src="/placeholder.svg?w=90&h=60" alt="Mug">', 90, 60],
    ['<img src="" alt="Mug" style="width:300.4px;height : 200px">', 300, 200],
    ['<img src="" alt="Mug" style="max-width:300px">', 800, 600],
    ['<img src="" alt="Mug" style="aspect-ratio: 2; height: 300px">', 600, 300],
    ['<img src="" alt="Mug" class="w-64 h-48 md:w-96">', 256, 192],
    ['<img src="" alt="Mug" class="w-[320px] aspect-video">', 320, 180],
    ['<img src="" alt="Mug" width="50%" height="auto">', 800, 600],
    ['<img src="" alt="Mug" width="0" height="10001">', 800, 600],
    ['<img src="" alt="Mug" height="900">', 1200, 900],
    ['<img src="https://example.com/2024/05/mug.jpg" alt="Mug">', 800, 600],
    ['<img src="https://images.unsplash.com/photo-2024/300/200" alt="Mug">', 800, 600],
    ['<section class="hero"><img src="" alt="Mug"></section>', 1600, 900],
    ...['banner', 'site-jumbotron', 'masthead_wide', 'top hero'].map(
      (name) => [`<section class="${name}"><img src="" alt="Mug"></section>`, 1600, 900] as const,
    ),
    ['<img src="" alt="Mug" class="size-64">', 256, 256],
    ['<img src="" alt="Mug" class="w-80 aspect-square">', 320, 320],
    ['<img src="" alt="Mug" class="h-[100px] aspect-[3/2]">', 150, 100],
    ['<img src="" alt="A mug" style="border-radius: 50%">', 128, 128],
    ['<img src="" alt="A mug" class="headshot" width="128">', 128, 128],
    ['<img src="" alt="A mug" class="rounded-full" width="132">', 132, 99],
    ['<section class="heroes"><img src="" alt="Mug"></section>', 800, 600],
    ['<img src="" alt="A mug" class="rounded-circle">', 128, 128],
    ['<title>Mug</title><meta name="twitter:image" content="https://example.com/a.png">', 1200, 630],
    ['<h2>Mug</h2><p style="background:url(https://example.com/a.png)">x</p>', 1600, 900],
  ])('the size of %s is %i × %i', async (html, width, height) => {
    expect((await fill(html)).report[0]).toMatchObject({ width, height });
  });

  it('a requested size is within the bounds of the service, and sharp where it is small', async () => {
    const html =
      '<img src="" alt="Mug" width="9999" height="1"><img src="" alt="Cup" width="48" height="48"><img src="" alt="Tea" width="200" height="100"><img src="" alt="Pot" width="257" height="257">';
    expect((await fill(html)).requested).toMatchObject([
      { width: 4000, height: 100 },
      { width: 100, height: 100 },
      { width: 256, height: 128 },
      { width: 257, height: 257 },
    ]);
  });
});

describe('image of several places', () => {
  it('a source of another shape shows the image of its picture by the same pick', async () => {
    const { report, requested, html } = await fill(
      `<picture><source media="(max-width: 600px)" srcset="https://picsum.photos/600/800"><source srcset="https://picsum.photos/1200/800"><img src="https://picsum.photos/600/400" alt="A blue mug"></picture>`,
    );
    const pick = pickOf(1);
    const shape = (each: object) => ({ pick: undefined, ...each });
    expect(report).toMatchObject([
      { pick, width: 600, height: 800 },
      { pick, width: 1200, height: 800 },
      { pick, width: 600, height: 400 },
    ]);
    expect(requested.map(shape)).toMatchObject([
      { pick: undefined, width: 600, height: 400 },
      { pick, width: 600, height: 800 },
    ]);
    const sources = [...html.matchAll(/<source[^>]* srcset="[^"]*width=(\d+) /g)].map(([, width]) => width);
    expect(sources).toEqual(['1200', '1200']);
  });

  it.each([
    ['600/406', 1],
    ['600/394', 1],
    ['600/420', 2],
    ['600/380', 2],
  ])('a picture of 600 × 400 with a source of %s takes %d requests', async (sides, requests) => {
    const source = `<source srcset="https://picsum.photos/${sides}">`;
    const page = `<picture>${source}<img src="${box}" alt="Mug"></picture>`;
    expect((await fill(page)).requested).toHaveLength(requests);
  });

  it('a model may make an image once, which another shape shows by its pick', async () => {
    const source = '<source srcset="https://picsum.photos/600/800">';
    const page = `<picture>${source}<img src="${box}" alt="Mug"></picture>`;
    const { requested } = await fill(page, { onmiss: 'ai', style: 'dark' });
    const terms = requested.map(({ onmiss, style, pick }) => [onmiss, style, pick]);
    expect(terms).toEqual([
      ['ai', 'dark', undefined],
      [undefined, 'dark', pickOf(1)],
    ]);
  });

  it('a source shows the image of its picture that was filled before', async () => {
    const ours = `https://img.service.test/api/image?query=mug&amp;pick=${pickOf(9)}&amp;width=600`;
    const page = `<picture><source srcset="https://picsum.photos/600/800"><img src="${ours}" alt="Mug"></picture>`;
    expect((await fill(page)).requested).toMatchObject([{ pick: pickOf(9), width: 600, height: 800 }]);
  });

  const css = (rules: string) => `<style>${rules}</style><h1 class="a">Mug</h1>`;
  it.each([
    ['all widths of a rule', css(`.a{background:url(${box})}@media print{.a{background:url(${box}?2)}}`)],
    ['the densities of a rule', css(`.a{background:image-set(url(${box}) 1x, "${box}" 2x)}`)],
    [
      'the previews of a page',
      `<title>Mug</title><meta property="og:image" content="${box}"><meta name="twitter:image" content="${box}">`,
    ],
    ['an image and its twin', `${mug}<noscript>${mug}</noscript>`],
    ['an image and its preload', `<link rel="preload" as="image" href="${box}">${mug}`],
  ])('%s share one image', async (_about, html) => {
    const { report, requested } = await fill(html);
    expect(report.map(({ pick }) => pick)).toEqual([pickOf(1), pickOf(1)]);
    expect(requested).toHaveLength(1);
  });

  it('two rules or images with the same words have an image each', async () => {
    const two = css(`.a{background:url(${box})}.b{background:url(${box})}`);
    expect((await fill(two + mug + mug)).requested).toHaveLength(4);
  });
});

const written = async (html: string, options?: FillOptions) => (await fill(html, options)).html;
const src = (words: string, width: number) =>
  `https://img.service.test/api/image?query=${words}&amp;pick=${pickOf(1)}&amp;width=${width}`;

it('fillHtml writes the attributes that an image lacks, and nothing else', async () => {
  expect(await written(`<p><img src="${box}" class=a title='Blue mug' ></p>`)).toBe(
    `<p><img src="${src('Blue%20mug', 600)}" class=a title='Blue mug' srcset="${src('Blue%20mug', 600)} 600w, ${src('Blue%20mug', 1200)} 1200w" sizes="(min-width: 600px) 600px, 100vw" width="600" height="400" alt="Alt of Blue mug" data-image-filled="Blue mug" ></p>`,
  );
});

it.each([
  [
    `<img src='${box}' alt=Mug width=6 height=4>`,
    /^<img src="https:[^'"]*" alt=Mug width=6 height=4 srcset="/,
  ],
  [`<img src=${box} alt=Mug>`, /^<img src="https:[^"]*" alt=Mug srcset="/],
  [`<img alt=Mug src=${box}/>`, /^<img alt=Mug src="https:[^"]*" srcset="[^>]*">$/],
  ['<img alt="Blue mug" src=""/>', /^<img alt="Blue mug" src="https:[^>]*"\/>$/],
  [`<IMG SRC="${box}" ALT="Mug">`, /^<IMG SRC="https:[^"]*" ALT="Mug" srcset="/],
  [
    `<img srcset="${box}" alt>`,
    /^<img alt src="data:image\/svg\+xml,[^"]*" width="600" height="400" data-image-filled="">$/,
  ],
  [
    `<p style="background:url('${box}')" title="Mug">`,
    /^<p style="background:url\('https:[^'"&]*&amp;[^'"]*'\)" title="Mug">$/,
  ],
  [
    `<style>p{background:url(${box})}</style><p title="Mug">`,
    /^<style>p\{background:url\(https:[^&)]*&pick=[^;)]*\)\}<\/style><p title="Mug">$/,
  ],
  [`<video poster="${box}" title="Mug"></video>`, /^<video poster="https:[^"]*" title="Mug"><\/video>$/],
])('fillHtml writes the new URL in place of the old one: %s', async (html, expected) => {
  expect(await written(html)).toMatch(expected);
});

it('fillHtml writes no srcset into an image whose source a script changes', async () => {
  const page = `<img id="big" src="${box}" alt="Mug" srcset="${box} 2x"><script>big.src = next</script>`;
  expect(await written(page)).toMatch(
    /^<img id="big" src="https:[^"]*" alt="Mug" width="600" height="400" data-image-filled="Mug"><script>/,
  );
});

it('fillHtml marks an image of a model, and writes the tags beside a preview', async () => {
  const service = fakeService({ more: { aiGenerated: true } });
  expect((await fill(mug, {}, service)).html).toContain(' data-ai-generated="true"');
  const named = (name: string, content: string) => `<meta property="og:image${name}" content="${content}">`;
  const page = `<title>Mugs</title>${named('', '/a.png')}${named(':width', '1')}${named('', box)}${named(':type', 'image/png')}${named(':width', '1')}${named(':alt', 'x')}`;
  expect(await written(page)).toBe(
    `<title>Mugs</title>${named('', '/a.png')}${named(':width', '1')}${named('', src('Mugs', 600))}${named(':type', 'image/jpeg')}${named(':width', '600')}${named(':alt', 'Alt of Mugs')}`,
  );
});

it('fillHtml writes ASCII into a page that does not say that it is UTF-8, and XML into XML', async () => {
  const more = { alt: 'Müsli – „süß“', html: null };
  const of = async (page: string) => (await fill(page, {}, fakeService({ more }))).html;
  const image = `<img src="${box}" title="Müsli">`;
  const ascii = await of(`<title>x</title>${image}`);
  expect(ascii.replace('title="Müsli"', '')).toMatch(/^[\0-~]*$/);
  expect(ascii).toContain('alt="M&#252;sli &#8211; &#8222;s&#252;&#223;&#8220;"');
  expect(await of(`<meta charset="UTF-8">${image}`)).toContain('alt="Müsli – „süß“"');
  const type = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">';
  expect(await of(type + image)).toContain('data-image-filled="Müsli"');
  expect(await of(`<meta charset="iso-8859-1">${image}`)).toContain('data-image-filled="M&#252;sli"');
  const xml = await of(
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><style>p{background:url(${box})}</style></head><body><p title="Mug"><img src="${box}" alt="Tea"/></p></body></html>`,
  );
  expect(xml).toContain('<footer data-image-credits=""><small>');
  expect(xml).not.toMatch(/&(?!amp;|#\d+;)|<style[^>]+>|data-[a-z-]+(?!=|[a-z-])/);
});

it('fillHtml writes each credit once, at the end of the page or in its element for credits', async () => {
  const more = { html: null, attribution: { ...fakeAttribution, creditLine: 'Photo by A | B' } };
  const of = async (page: string) => (await fill(page, {}, fakeService({ more }))).html;
  const credit = '<span><a href="https://p.test/1?a&amp;b" rel="noopener">Photo by A | B</a></span>';
  const footer = `<footer data-image-credits><small>${credit}</small></footer>`;
  expect(await of(`<body>${mug}${mug}</body>`)).toMatch(new RegExp(`>${escaped(footer)}</body>$`));
  expect(await of(`${mug}<p data-image-credits></p>x`)).toContain(`<p data-image-credits>${credit}</p>x`);
  for (const landingUrl of ['javascript://p.test/%0aalert(1)', '//p.test', 'p.test/1']) {
    const linked = { html: null, attribution: { ...more.attribution, landingUrl } };
    const { html } = await fill(mug, {}, fakeService({ more: linked }));
    expect(html).toContain('<span>Photo by A | B</span>');
  }
  const first = await of(mug);
  expect(await of(first + mug)).toContain(footer);
  const old = first.replaceAll('A | B', 'C');
  expect(await of(old + mug)).toMatch(
    /Photo by C<\/a><\/span> &#183; <span><a[^>]*>Photo by A \| B<\/a><\/span><\/small>/,
  );
});

it.each([
  ['a comment that never ends', `${mug}<!-- x`],
  ['a tag that never ends', `${mug}<p class="`],
  ['a script that never ends', `${mug}<script>x`],
  ['a title that never ends', `${mug}<title>x`],
])('fillHtml writes the credits before %s', async (_about, page) => {
  const service = fakeService({ more: { html: null } });
  const { html } = await fill(page, {}, service);
  expect(html.slice(html.indexOf('</footer>') + 9)).toBe(page.slice(mug.length));
});

it('fillHtml writes texts of strangers as data, for template languages too', async () => {
  const said = 'A\u0007 {{7*7}} {% x %} <%= y %> $' + '{z} #{q} @Model | <script>';
  const more = { alt: said, html: null, attribution: { ...fakeAttribution, creditLine: said } };
  const { html } = await fill(`<img src="${box}" title="Mug">`, {}, fakeService({ more }));
  expect(html).not.toMatch(/\{\{|\}\}|\{%|%\}|<%|%>|[$#]\{|@|<script/);
  expect(html).not.toContain('\u0007');
  const texts = html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));
  expect(texts).not.toMatch(/\{\{|\}\}|\{%|%\}|<%|[$#]\{/);
  expect(texts).toContain('{ {7*7} }');
});

describe('calls for images', () => {
  const three = ['Mug', 'Cup', 'Pot'].map((alt) => `<img src="${box}" alt="${alt}">`).join('');

  it.each([
    ['no_image_found', 'no_image_found', 0],
    ['content_refused', 'no_image_found', 0],
    ['quota_exceeded', 'quota_exceeded', 1],
    ['rate_limited', 'quota_exceeded', 1],
    ['generation_in_progress', 'generation_in_progress', 1],
    ['upstream_unavailable', 'generation_in_progress', 1],
  ] as const)('an image with the problem %s is left as %s', async (code, reason, left) => {
    const filled = await fill(three, {}, fakeService({ problems: { Cup: code } }));
    const rowsOf = filled.report.map((row) => `${row.outcome} ${row.reason}`);
    expect(rowsOf).toEqual(['filled placeholder', `left ${reason}`, 'filled placeholder']);
    expect(filled.left).toBe(left);
    expect(filled.html).toContain(`<img src="${box}" alt="Cup">`);
  });

  it('one reason leaves all shapes of a picture', async () => {
    const page = `<picture><source srcset="https://picsum.photos/600/800"><img src="${box}" alt="Cup"></picture>`;
    const { report, left } = await fill(page, {}, fakeService({ problems: { Cup: 'no_image_found' } }));
    expect([report.map(({ reason }) => reason), left]).toEqual([['no_image_found', 'no_image_found'], 0]);
  });

  it('the images of a query with more places than images begin again', async () => {
    const page = Array(7).fill(mug).join('');
    const { report, calls } = await fill(page, {}, fakeService({ candidates: 3 }));
    expect(report.map(({ pick }) => pick)).toEqual([1, 2, 3, 1, 2, 3, 1].map(pickOf));
    expect(report.map(({ note }) => Number(note !== undefined)).join('')).toBe('0001111');
    expect(calls.map(({ size }) => size)).toEqual([7, 3, 1]);
    const loose = await fill(mug, {}, fakeService({ more: { fit: 'loose' } }));
    expect(loose.report).toMatchObject([{ outcome: 'filled', note: 'No photo fits all the words.' }]);
  });

  it('an image that the page shows for the words is shown again where there is no other', async () => {
    const ours = `https://img.service.test/api/image?pick=${pickOf(9)}`;
    const page = `<img src="${ours}" data-image-filled="A blue mug"><p style="background:url(${ours})">${mug}`;
    const { report } = await fill(page, {}, fakeService({ candidates: 0 }));
    expect(report.at(-1)).toMatchObject({ outcome: 'filled', pick: pickOf(9) });
  });

  it('each call asks for 24 images at most, and excludes those that are shown', async () => {
    const ours = `<img src="https://img.service.test/api/image?pick=${pickOf(99)}" alt="Own">`;
    const thirty = [...'abcdefghijklmnopqrstuvwxyzäöüß'].map((i) => `<img src="${box}" alt="Mug ${i}x">`);
    const { calls } = await fill(ours + thirty.join(''));
    expect(calls.map(({ size, exclude }) => `${size} ${exclude.length}`)).toEqual(['24 1', '6 25']);
    expect(calls[0]?.exclude).toEqual([pickOf(99)]);
  });

  it('a call excludes the last 200 of the images that are shown', async () => {
    const shown = Array.from({ length: 201 }, (_, i) => pickOf(1_000 + i));
    const ours = shown.map((pick) => `<img src="https://img.service.test/api/image?pick=${pick}" alt="Own">`);
    const { calls } = await fill(ours.join('') + mug);
    expect(calls[0]?.exclude).toEqual(shown.slice(1));
  });

  it('a second run passes over the images that were not found in the first', async () => {
    const options = { imagesMax: 2 };
    const service = () => fakeService({ problems: { Mug: 'no_image_found' } });
    const first = await fill(three + three, options, service());
    const outcomes = first.report.map(({ outcome }) => outcome).join(' ');
    expect(outcomes).toBe('left filled filled left left left');
    expect(first.left).toBe(2);
    const second = await fill(first.html, options, service());
    expect(second.left).toBe(0);
  });

  it('a refused first call rejects, and a refused later one leaves what is found', async () => {
    const refused = () => Promise.reject(new Error('refused'));
    await expect(fillHtml(mug, refused)).rejects.toThrow('refused');
    const service = fakeService();
    let calls = 0;
    const page = Array.from({ length: 25 }, () => mug).join('');
    const { left } = await fillHtml(page, (batch) => (calls++ === 0 ? service.find(batch) : refused()));
    expect(left).toBe(1);
  });

  it('no call follows one without an answer', async () => {
    const service = fakeService();
    let calls = 0;
    const page = Array.from({ length: 50 }, () => mug).join('');
    const find: FindImages = async (batch) => (calls++ === 0 ? service.find(batch) : undefined);
    expect([(await fillHtml(page, find)).left, calls]).toEqual([26, 2]);
  });

  it('no call follows when the quota is used up', async () => {
    const page = Array.from({ length: 50 }, () => mug).join('');
    const spent = await fill(page, {}, fakeService({ problems: { 'A blue mug': 'quota_exceeded' } }));
    expect(spent.calls).toHaveLength(1);
    expect(spent.report.every(({ reason }) => reason === 'quota_exceeded')).toBe(true);
  });
});

it('fillHtml without a service reports what it would do and changes nothing', async () => {
  const page = `${mug}<img src="${box}"><img src="a.png">`;
  const { html, report } = await fillHtml(page, undefined);
  expect(html).toBe(page);
  const rowsOf = report.map(({ outcome, query, src }) => `${outcome} ${query} ${src}`);
  expect(rowsOf).toEqual(['filled A blue mug null', 'drawn null null', 'kept null null']);
});

it('fillHtml reports the line of each image, and at most 200 characters of its old URL', async () => {
  const long = `${box}?text=${'x'.repeat(300)}`;
  const css = `<style>\na{}\n.b{background:url(${box})}</style>`;
  const { report } = await fill(`<h1>Mugs</h1>\n${css}\n\n<img src="${long}" alt="Mug">`);
  expect(report.map(({ line, was }) => `${line} ${was}`)).toEqual([`4 ${box}`, `6 ${long.slice(0, 200)}`]);
});

const fakeAttribution = {
  providerName: 'P',
  license: { id: 'cc-by-4.0', name: 'CC BY 4.0' },
  landingUrl: 'https://p.test/1?a&b',
  creditLine: '',
};
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
