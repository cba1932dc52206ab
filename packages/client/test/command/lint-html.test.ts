/** Tests the findings of lint. A filled page has none. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintFile } from '../../src/command/lint';
import { fillHtml } from '../../src/pages/fill-html';
import { createFakeService } from '../pages/fake-service';

const folder = join(__dirname, '../../../../test/fixtures/pages');
const nowMs = Date.parse('2026-11-23T00:00:00Z');
const lint = (text: string, name = 'a.html') => lintFile(text, name, {}, nowMs);
const listRules = async (text: string, name?: string) => (await lint(text, name)).map(({ rule }) => rule);
const writeImg = (src: string, attributes = 'alt="" width="600" height="400"') =>
  `<img src="${src}" ${attributes}>`;
const ours = 'https://img.service.test/api/image?query=lake&width=600&height=400';
const published = `${ours}&signer=sg_live_0123456789ab&signature=0123456789abcdefghijkl`;

test.each([
  ['an invented photo', writeImg('https://images.unsplash.com/photo-1'), ['invented-url']],
  ['a placeholder', writeImg('https://placehold.co/600x400'), ['dead-url']],
  ['no URL', writeImg('', 'alt="A blue mug" width="6" height="4"'), ['dead-url']],
  ['data of a script', '<script type="application/json">["https://placehold.co/9"]</script>', ['dead-url']],
  ['a background of a table', '<table><tr><td background="https://placehold.co/9">', ['dead-url']],
  ['a link', '<a href="https://placehold.co/9">x</a>', []],
  ['shown code', '<pre><img src="https://placehold.co/9"></pre>', []],
  [
    'a real photo twice',
    writeImg('https://images.unsplash.com/photo-1501785888041-af3ef285b470').repeat(2),
    [],
  ],
  ['a file of any name', writeImg('/uploads/1.jpg'), []],
  ...`pixabay.com img.freepik.com image.shutterstock.com media.istockphoto.com media.gettyimages.com media.gettyimages.co.uk
    c8.alamy.com thumbs.dreamstime.com i.pinimg.com pinimg.com A.B.PINIMG.COM`
    .split(/\s+/)
    .map(
      (host) => [`a file of ${host}, which forbids it`, writeImg(`//${host}/a.jpg`), ['hotlink']] as const,
    ),
  ['a host that ends like such a provider', writeImg('https://notpinimg.com/a.jpg'), []],
  ['such a provider in a path', writeImg('https://img.service.test/pinimg.com/a.jpg'), []],
  ['no alt text', writeImg(ours, 'width="600" height="400"'), ['missing-alt']],
  ['no size', writeImg(ours, 'alt=""'), ['missing-dimensions']],
  ['a width alone', writeImg(ours, 'alt="" width="600"'), ['missing-dimensions']],
  ['a height alone', writeImg(ours, 'alt="" height="400"'), ['missing-dimensions']],
  ...['aspect-video', 'size-12', 'h-48', 'h-[30rem]', 'h-full', 'h-screen', 'w-full h-48'].map(
    (name) => [`a size by the class ${name}`, writeImg(ours, `alt="" class="${name}"`), []] as const,
  ),
  ...['size-full', 'h-auto', 'max-h-48', 'w-48'].map(
    (name) =>
      [
        `no size by the class ${name}`,
        writeImg(ours, `alt="" class="${name}"`),
        ['missing-dimensions'],
      ] as const,
  ),
  ...['width: 100%; height: 40px', 'height:40px', 'aspect-ratio: 3 / 2'].map(
    (style) => [`a size by the style ${style}`, writeImg(ours, `alt="" style="${style}"`), []] as const,
  ),
  ['a largest height', writeImg(ours, 'alt="" style="max-height: 40px"'), ['missing-dimensions']],
  ['an automatic height', writeImg(ours, 'alt="" style="height: auto"'), ['missing-dimensions']],
  ['an end at this moment', writeImg(`${published}&expires=${nowMs / 1_000}`), []],
  ['an end a second ago', writeImg(`${published}&expires=${nowMs / 1_000 - 1}`), ['expired-url']],
  ['an end in the future', writeImg(`${published}&expires=1900000000`), []],
  ['a duration of another service', writeImg('https://cdn.test/a.jpg?expires=3600'), []],
  [
    'a duration of a service that is like ours',
    writeImg('https://cdn.test/api/image/a.jpg?expires=3600'),
    [],
  ],
  ['a video without a poster', '<video src="a.mp4" poster=""></video>', []],
  ['a poster that is a placeholder', '<video poster="https://placehold.co/9"></video>', ['dead-url']],
  ['an image to keep', writeImg('https://placehold.co/9', 'data-image-keep alt="" width="9" height="9"'), []],
] as const)('lintFile finds the faults of %s', async (_about, html, expected) => {
  expect(await listRules(html)).toEqual(expected);
});

test('lintFile lists findings in the order of the page with their rows', async () => {
  const findings = await lint(`${writeImg(ours, 'alt=""')}\n${writeImg('https://placehold.co/9x6')}`);
  expect(findings).toMatchObject([
    { rule: 'missing-dimensions', line: 1, outcome: 'kept', reason: 'owner' },
    { rule: 'dead-url', line: 2, was: 'https://placehold.co/9x6', outcome: 'drawn', reason: 'placeholder' },
  ]);
});

test('lintFile finds the placeholders of a source outside shown code', async () => {
  const source = "a = 'https://picsum.photos/9/6';\n// https://picsum.photos/9/6";
  expect(await lint(source, 'a.ts')).toMatchObject([{ rule: 'dead-url', line: 1 }]);
});

test.each([
  ...['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif'].map(
    (ending) => ['a.css', `a{background:url(https://i.pinimg.com/a.${ending})}`, ['hotlink']] as const,
  ),
  ['a.css', '/* https://i.pinimg.com/a.jpg */', []],
  ['a.tsx', '<img src="//cdn.pixabay.com/photo/a_960_720.png" />', ['hotlink']],
  ['a.json', '{"a":"https:\\/\\/cdn.pixabay.com\\/a.png"}', ['hotlink']],
  ['a.md', 'See https://www.shutterstock.com/license and https://a.test/a.jpg', []],
  ['a.css', `a{background:url(${published}&expires=1700000000)}`, ['expired-url']],
  ['a.vue', `<img src="${published.replace(/&/g, '&amp;')}&amp;expires=1700000000">`, ['expired-url']],
  ['a.css', `a{background:url(${published}&expires=1900000000)}`, []],
] as const)('lintFile finds the faults of an image in %s: %s', async (name, source, expected) => {
  expect(await listRules(source, name)).toEqual(expected);
});

test.each(readdirSync(folder).filter((name) => name.endsWith('.html')))(
  'lintFile finds nothing in the filled images of %s',
  async (name) => {
    const html = readFileSync(join(folder, name), 'utf8');
    const filled = await fillHtml(html, createFakeService().find, { replaceStock: true });
    const touched = new Set(
      filled.report.filter(({ outcome }) => outcome !== 'kept').map(({ line }) => line),
    );
    expect(await listRules(html)).not.toEqual([]);
    const findings = await lint(filled.html);
    const kept = new Set(filled.report.flatMap(({ outcome, was }) => (outcome === 'kept' ? [was] : [])));
    expect(findings.filter(({ line, was }) => touched.has(line) && !kept.has(was))).toEqual([]);
  },
);
