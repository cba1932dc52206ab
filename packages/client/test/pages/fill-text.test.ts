/** Fills sources of many languages. Only the characters of a placeholder's URL change. */

import { fillText, isSourceFile } from '../../src/pages/fill-text';
import type { FillOptions } from '../../src/pages/find-images';
import { createFakeService, makePick } from './fake-service';

const mug = 'https://picsum.photos/seed/blue-mug/600/400';
const dollar = '$';

async function fill(text: string, name: string, options: FillOptions = {}) {
  const service = createFakeService();
  return { ...(await fillText(text, name, service.find, options)), requested: service.requested };
}
const makeUrl = (words: string, width: number, ampersand = '&') =>
  `https://img.service.test/api/image?query=${encodeURIComponent(words)}${ampersand}pick=${makePick(1)}${ampersand}width=${width}`;

test.each([
  ['a.js', `const a = '${mug}';`, '&'],
  ['a.jsx', `<CardMedia component="img" image="${mug}" alt={x} />`, '&'],
  ['a.tsx', `<div style={{ backgroundImage: "url('${mug}')" }} />`, '&'],
  ['a.tsx', `const a = b || \`${mug}\`;`, '&'],
  ['a.ts', `export const a = { name: 'Mug', image: "${mug}" };`, '&'],
  ['a.mjs', `export default ["${mug} 1x"]`, '&'],
  ['a.css', `.a { background: url(${mug}) }`, '&'],
  ['a.json', `{ "homepage": "${mug}" }`, '&'],
  ['a.json', `{ "a": "${mug.replaceAll('/', '\\/')}" }`, '\\'],
  ['a.json', `{ "a": "${mug}?a=1\\u0026b" }`, '\\u0026'],
  ['a.yml', `image: ${mug}`, '&'],
  ['a.yaml', `images: [${mug}, b]`, '&'],
  ['a.md', `![A mug](${mug})`, '&'],
  ['a.md', `See <${mug}>.`, '&'],
  ['a.md', `<img src="${mug}?a=1&amp;b">`, '&amp;'],
  ['a.mdx', `<Image src="${mug}" />`, '&'],
  ['a.vue', `<template><v-img src="${mug}"/></template>`, '&amp;'],
  ['a.vue', `<style scoped>.a { background: url('${mug}') }</style>`, '&'],
  ['a.vue', `<script setup>const a = '${mug}'</script>`, '&'],
  ['a.svelte', `<b-card img-src="${mug}"/>`, '&amp;'],
  ['a.astro', `---\nconst a = "${mug}";\n---`, '&'],
  ['a.hbs', `<img src="${mug}" alt="{{name}}">`, '&amp;'],
  ['a.liquid', `{{ '${mug}' | img_tag }}`, '&'],
  ['a.twig', `<img alt="a" src='${mug}'>`, '&amp;'],
  ['a.erb', `<%= image_tag "${mug}" %>`, '&'],
  ['a.blade.php', `<img alt="{{ $a->b }}" src="${mug}">`, '&amp;'],
  ['a.php', `<?php $a = '${mug}'; ?>`, '&'],
  ['a.pug', `img(src='${mug}')`, '&'],
])('fillText replaces the URL in a file %s: %s', async (name, text, ampersand) => {
  const { html, report } = await fill(text, name);
  const isEscaped = ampersand === '\\';
  const written = makeUrl('blue mug', 600, isEscaped ? '&' : ampersand);
  const expectedUrl = isEscaped ? written.replaceAll('/', '\\/') : written;
  const old = /https?:[^\s"'`)<>,\]]*/.exec(text)?.[0] ?? '';
  expect(html).toBe(text.replace(old, () => expectedUrl));
  expect(report).toMatchObject([{ outcome: 'filled', reason: 'placeholder', query: 'blue mug', width: 600 }]);
});

test.each([
  ['no words', 'a.ts', "const a = 'https://picsum.photos/606/400';", 'left no_words'],
  ['words that say nothing', 'a.ts', "const a = 'https://placehold.co/60?text=Product+1';", 'left no_words'],
  ['a person', 'a.ts', "const a = { avatar: 'https://placehold.co/60?text=Mara+Lindt' };", 'left no_words'],
  ['a path that models invent', 'a.ts', "const a = 'path/to/image.jpg';", 'left no_words'],
  ['a template literal', 'a.ts', `const a = \`${mug}?w=${dollar}{w}\`;`, ''],
  ['one that goes on', 'a.ts', `const a = \`${mug} ${dollar}{w}\`;`, ''],
  ['a text that goes on', 'a.js', `const a = '${mug}/' + id;`, 'kept template'],
  ['a text that went before', 'a.php', `<?php $a = $b . '${mug}';`, 'kept template'],
  ['a text that is changed', 'a.js', `const a = '${mug}'.replace('600', w);`, 'kept template'],
  ['an expression of ERB', 'a.erb', `<img src="${mug}?w=<%= w %>">`, ''],
  ['a line of comment', 'a.js', `  // ${mug}`, 'kept code'],
  ['a comment', 'a.css', `/* url(${mug}) */`, 'kept code'],
  ['a comment of JSX', 'a.tsx', `{/* <img src="${mug}" /> */}`, 'kept code'],
  ['a comment of HTML', 'a.vue', `<!-- <img src="${mug}"> -->`, 'kept code'],
  ['a comment of Handlebars', 'a.hbs', `{{!-- <img src="${mug}"> --}}`, 'kept code'],
  ['a comment of Blade', 'a.blade.php', `{{-- <img src="${mug}"> --}}`, 'kept code'],
  ['a comment of Twig', 'a.twig', `{# <img src="${mug}"> #}`, 'kept code'],
  ['a comment of ERB', 'a.erb', `<%# image_tag "${mug}" %>`, 'kept code'],
  ['a comment of YAML', 'a.yml', `# image: ${mug}`, 'kept code'],
  ['a fence', 'a.md', `\`\`\`html\n<img src="${mug}">\n\`\`\``, 'kept code'],
  ['one of tildes that never ends', 'a.md', `~~~~jsx\n~~~\n<img src="${mug}">`, 'kept code'],
  ['code in a line', 'a.mdx', `Write \`<img src="${mug}">\`.`, 'kept code'],
  ['two ticks', 'a.md', `Write \`\`a \` ![](${mug})\`\`.`, 'kept code'],
  ['four spaces', 'a.md', `Like this:\n\n    ![](${mug})\n`, 'kept code'],
  ['shown code', 'a.tsx', `<pre>{'${mug}'}</pre>`, 'kept code'],
  ['highlighted code', 'a.md', `{% highlight html %}\n<img src="${mug}">\n{% endhighlight %}`, 'kept code'],
  ['the address of a service', 'a.ts', "const hosts = ['https://picsum.photos', 'placehold.co'];", ''],
  ['a pattern of addresses', 'a.mjs', "new URL('https://picsum.photos/**')", ''],
  ['data', 'a.ts', "fetch('https://picsum.photos/v2/list'); fetch('https://picsum.photos/id/0/info');", ''],
  ['a link', 'package.json', '{ "homepage": "https://example.com/mug.jpg" }', ''],
  ['one in another URL', 'a.ts', `const a = '/_next/image?url=${mug}&w=60';`, ''],
  ['one behind a proxy', 'a.ts', `const a = 'https://images.test/?url=${mug}';`, ''],
  ['a link with a space', 'a.md', `![a](${mug} b)`, 'kept template'],
])('fillText leaves %s', async (_about, name, text, row) => {
  const { html, report, requested } = await fill(text, name);
  expect(html).toBe(text);
  expect(requested).toEqual([]);
  expect(report.map(({ outcome, reason }) => `${outcome} ${reason}`).join()).toBe(row);
});

test.each([
  ['a comment of types', 'a.tsx', `<input accept="image/*" /><img src="${mug}" />`],
  ['a comment behind code', 'a.js', `const a = '${mug}'; // the mug`],
  ['a title', 'a.md', `![A mug](${mug} "A mug")`],
  ['a list that is indented', 'a.md', `- a\n    - ![](${mug})`],
  ['a paragraph behind code', 'a.md', `\`a\`\n\n![](${mug}) and \`b\``],
  ['a condition', 'a.svelte', `{#if a}<img src="${mug}">{/if}`],
])('fillText replaces the URL behind %s', async (_about, name, text) => {
  expect((await fill(text, name)).report).toMatchObject([{ outcome: 'filled' }]);
});

test('fillText finds one image for equal URLs', async () => {
  const text = `export const a = ['${mug}', '${mug}', 'https://loremflickr.com/320/240/harbor'];`;
  const { html, report, requested, credits } = await fill(text, 'a.ts', { lang: 'en' });
  expect(report.map(({ pick }) => pick)).toEqual([1, 1, 2].map(makePick));
  expect(requested.map(({ query, lang }) => [query, lang])).toEqual([
    ['blue mug', 'en'],
    ['harbor', 'en'],
  ]);
  expect(credits).toEqual(['Photo 2 by A & B on Commons (CC BY 4.0)']);
  const again = await fill(html, 'a.ts');
  expect([again.html, again.report]).toEqual([html, []]);
});

test('fillText finds one image for URLs that differ only in their size', async () => {
  const findAt = (size: string) => `https://picsum.photos/seed/blue-mug/${size}`;
  const { report, requested } = await fill(
    `a = '${findAt('400/300')} 400w, ${findAt('300/800')} 800w'`,
    'a.ts',
  );
  expect(report.map(({ pick, width }) => [pick, width])).toEqual([
    [makePick(1), 400],
    [makePick(1), 300],
  ]);
  expect(requested.map(({ pick }) => pick)).toEqual([undefined, makePick(1)]);
});

test('isSourceFile is true for sources except lock files, tests and stories', () => {
  const endings =
    'html htm xhtml js mjs jsx ts tsx pug json json5 css yml yaml md mdx vue svelte astro hbs php';
  const read = `${endings} liquid twig erb component.HTML blade.php`.split(' ').map((each) => `a/b.${each}`);
  const unread =
    'a.svg a.txt package-lock.json npm-shrinkwrap.json pnpm-lock.yaml composer-lock.yml a/b.test.tsx a/b.spec.ts a/b.stories.jsx a/__tests__/b.ts fixtures/a.json';
  const all = [...read, 'src/latest.ts', 'src/my-fixtures/a.json', ...unread.split(' ')];
  expect(all.filter((path) => !isSourceFile(path)).join(' ')).toBe(unread);
});
