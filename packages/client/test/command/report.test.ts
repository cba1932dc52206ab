/** Previews stand in terminals that show them, and nowhere else. */

import { type Loopback, listenOnLoopback } from '../../../../test/fakes/loopback';
import { previews, reportHtml, reportText, showsImages } from '../../src/command/report';

let server: Loopback;
beforeAll(async () => {
  server = await listenOnLoopback((request, response) => {
    response.writeHead(request.url === '/image' ? 200 : 404).end('bytes');
  });
});
afterAll(() => server.stop());

it.each([
  [true, 'iTerm.app', true],
  [true, 'WezTerm', true],
  [false, 'iTerm.app', false],
  [true, 'Apple_Terminal', false],
  [true, undefined, false],
])('in a terminal: %s, of the program %s: %s', (isTerminal, program, expected) =>
  expect(showsImages(isTerminal, program)).toBe(expected),
);

it('shows an image and its words in a line, and nothing for one that is drawn or does not load', async () => {
  const shown = await previews([
    { src: `${server.address}/image`, query: 'mountain lake' },
    { src: `${server.address}/gone`, query: 'gone' },
    { src: 'data:image/svg+xml,x', query: 'drawn' },
    { query: 'left' },
  ]);
  const image = Buffer.from('bytes').toString('base64');
  expect(shown).toBe(`\x1b]1337;File=inline=1;height=3:${image}\x07 mountain lake\n`);
});

const image = {
  slot: 'Lake',
  line: 3,
  reason: 'does_not_load',
  was: 'https://old.test/a.jpg',
  query: 'a "lake" <&',
  width: 600,
  height: 400,
} as const;
const reports = [
  {
    file: 'a&b.html',
    images: [
      { ...image, outcome: 'filled', src: 'https://new.test/?a&b' },
      { ...image, line: 4, was: '', outcome: 'left', problem: 'quota_exceeded' },
      { ...image, line: 5, was: '/a.png', outcome: 'drawn', src: 'data:,', note: 'A logo.' },
    ],
    credits: ['Photo by Ada'],
  },
  { file: 'c.html', images: [], credits: ['Photo by Ada', 'Photo by Eve'] },
] as const satisfies Parameters<typeof reportText>[0];

it('says in a line each what became of an image, each credit once, and whether it was written', () => {
  const [head, ...lines] = reportText(reports, true).split('\n');
  expect(head).toMatch(/^Where +Was +Words +Size +Now$/);
  expect(lines).toEqual([
    expect.stringMatching(
      /^a&b\.html:3 {2}does not load {2}a "lake" <& {2}600 × 400 {2}https:\/\/new\.test\/\?a&b$/,
    ),
    expect.stringMatching(/^a&b\.html:4 .* quota_exceeded$/),
    expect.stringMatching(/^a&b\.html:5 .* drawn: A logo\.$/),
    '',
    'Show these credits on the page:',
    '  Photo by Ada',
    '  Photo by Eve',
    '',
    'Written.',
    '',
  ]);
  expect(reportText([], true)).toBe('Nothing to fill.\n');
});

it('shows before and after with texts as text', () => {
  const page = reportHtml(reports);
  const words = 'a &#34;lake&#34; &#60;&#38;';
  expect(page).toContain(`<img src="https://new.test/?a&#38;b" alt="${words}" loading="lazy">`);
  expect(page).toContain('<img src="https://old.test/a.jpg" alt="https://old.test/a.jpg" loading="lazy">');
  expect(page).toContain('<th scope="row">a&#38;b.html:4<br><small>does not load, 600 × 400</small></th>');
  for (const text of ['no URL', '/a.png', 'quota_exceeded']) expect(page).toContain(`<td><p>${text}</p>`);
  expect(page).toContain(`<small>${words} · A logo.</small>`);
  expect(page).not.toContain(image.query);
});
