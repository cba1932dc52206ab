/** Tests which images of a page are filled, and why the others stay. */

import { fillHtml } from '../../src/pages/fill-html';
import type { FillOptions } from '../../src/pages/find-images';
import { box, fill, mug } from './filled';

const listRows = async (html: string, options?: FillOptions) =>
  (await fill(html, options)).report.map(({ outcome, reason }) => `${outcome} ${reason}`);

test.each<readonly [html: string, row: string]>([
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
])('fillHtml reports for %s: %s', async (html, row) => {
  expect(await listRows(html)).toEqual([row]);
});

test.each([
  ['a comment', `<!-- ${mug} -->`],
  ['a comment in CSS', `<style>/* a{background:url(${box})} */</style>`],
  ['a font', `<style>@font-face{src:url(${box})}</style>`],
  ['a part of the page', '<p style="filter:url(#mug)">x</p>'],
  ['another text', `<p>${box}</p>`],
  ['a video without a poster', '<video src="a.mp4"></video>'],
])('fillHtml reports no row for %s', async (_about, html) => {
  expect(await listRows(html)).toEqual([]);
});

test.each([
  ['src="http://a.test/1.jpg"', 'filled missing'],
  ['src="gone.jpg"', 'kept owner'],
  ['src="http://a.test/1.jpg" data-image-keep', 'kept owner'],
])('if all URLs are gone, fillHtml reports for %s: %s', async (attributes, row) => {
  expect(await listRows(`<img ${attributes} alt="Mug">`, { isGone: async () => true })).toEqual([row]);
});

test('fillHtml without a service changes nothing', async () => {
  const page = `${mug}<img src="${box}"><img src="a.png">`;
  const { html, report } = await fillHtml(page, undefined);
  expect(html).toBe(page);
  const rowsOf = report.map(({ outcome, query, src }) => `${outcome} ${query} ${src}`);
  expect(rowsOf).toEqual(['filled A blue mug null', 'drawn null null', 'kept null null']);
});

test('a row of fillHtml has the line and 200 characters of the old URL', async () => {
  const long = `${box}?text=${'x'.repeat(300)}`;
  const css = `<style>\na{}\n.b{background:url(${box})}</style>`;
  const { report } = await fill(`<h1>Mugs</h1>\n${css}\n\n<img src="${long}" alt="Mug">`);
  expect(report.map(({ line, was }) => `${line} ${was}`)).toEqual([`4 ${box}`, `6 ${long.slice(0, 200)}`]);
});
