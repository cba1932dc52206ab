/** What `fill` says of the images of a project. */

import { reportText } from '../../src/command/report';

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
