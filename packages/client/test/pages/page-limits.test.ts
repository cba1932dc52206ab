/** Tests that the time for a page grows with its length, and that a page beyond the bounds is refused. */

import { fillHtml } from '../../src/pages/fill-html';
import { createFakeService } from './fake-service';

const box = 'https://placehold.co/600x400';

/** Makes a page in which something stands `count` times. */
const shapes: Readonly<Record<string, (count: number) => string>> = {
  tags: (n) => '<p>a</p>'.repeat(n),
  'tags that never end': (n) => '<p>a<b>'.repeat(n / 10),
  attributes: (n) => `<img ${Array.from({ length: n }, (_, i) => `a${i}`).join(' ')} src="${box}" alt="Mug">`,
  images: (n) => `<section>${`<img src="${box}" alt="Mug">`.repeat(n / 10)}</section>`,
  backgrounds: (n) => `<style>${`a{background:url(${box})}`.repeat(n / 10)}</style>`,
  'backgrounds of one rule': (n) => `<style>a{${`background:url(${box});`.repeat(n / 10)}</style>`,
  'brackets in CSS': (n) => `<style>${'{'.repeat(n)}a{background:url(${box})}</style>`,
  comments: (n) => '<!-- a -->'.repeat(n) + '{#'.repeat(n),
  'comments in CSS': (n) => `<style>${'/* a */'.repeat(n)}${'"\\"'.repeat(n)}</style>`,
  headings: (n) => `<h2>a image</h2><img src="${box}">`.repeat(n / 10),
  'a text beside images': (n) => `<a><p>${'word '.repeat(n)}</p>${`<img src="${box}">`.repeat(n / 10)}</a>`,
  'scripts and names': (n) =>
    `<script>${'x.src=y;'.repeat(n)}</script>${'<i class="a b c"></i>'.repeat(n / 10)}`,
  'sources of a picture': (n) =>
    `<picture>${`<source srcset="${box}">`.repeat(n / 10)}<img src="${box}" alt="Mug"></picture>`,
  'tables within one another': (n) => '<table><b>a</b>'.repeat(n / 50),
};

/** The CPU time of a page in microseconds: the least of three runs, since others use the machine too. */
async function measureCpu(html: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage();
    await fillHtml(html, createFakeService().find);
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  return Math.min(...times);
}

test.each(Object.entries(shapes))(
  'the time of fillHtml grows in proportion to the number of %s',
  async (_name, shape) => {
    await measureCpu(shape(1_000));
    const [once, thrice] = [await measureCpu(shape(6_000)), await measureCpu(shape(18_000))];
    // If the time grew with the square, it would be nine times as much. Below 20 ms the clock says little.
    expect(thrice).toBeLessThan(6 * Math.max(once, 20_000));
  },
);

test.each([
  ['2,000 images', '<img src="a.png">'.repeat(2_000), true],
  ['2,001 images', '<img src="a.png">'.repeat(2_001), 'at most 2,000 images'],
  ['50,000 elements', '<b></b>'.repeat(49_997), true],
  ['50,001 elements', '<b></b>'.repeat(49_998), 'at most 50,000 elements'],
  ['512 elements within one another', '<div>'.repeat(510), true],
  ['513 elements within one another', '<div>'.repeat(511), 'at most 512 elements within one another'],
])('fillHtml keeps to its bound for a page of %s', async (_about, html, bounds) => {
  const filling = fillHtml(html, createFakeService().find);
  if (bounds === true) await expect(filling).resolves.toMatchObject({ html });
  else await expect(filling).rejects.toMatchObject({ name: 'PageTooLarge', bounds });
});
