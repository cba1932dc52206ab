/** Tables are aligned, fit the terminal, and are one line a row when they are piped. */

import { keyTable } from '../../cli/keys/key-views';
import { createOutput, facts, grid, table } from '../../cli/output';
import { accountId, allowedOrigin } from '../fakes/branded';

const head = ['Name', 'Used', 'Note'];
const rows = [
  ['a', 7, 'one two three four five six'],
  ['longer', 1_000, ''],
];
const widest = (text: string) => Math.max(...text.split('\n').map(({ length }) => length));

it('puts numbers to the right and text to the left, without trailing spaces', () => {
  expect(table(head, rows).split('\n')).toEqual([
    'NAME    USED  NOTE',
    'a          7  one two three four five six',
    'longer  1000',
  ]);
});

it('puts a column to the left in which not every cell is a number', () => {
  expect(
    table(
      ['A', 'Until'],
      [
        [7, 1],
        [1_000, 'never'],
      ],
    ).split('\n'),
  ).toEqual(['   A  UNTIL', '   7  1', '1000  never']);
});

it('wraps the widest column at its words when the terminal is narrower', () => {
  expect(table(head, rows, widest(table(head, rows)))).toBe(table(head, rows));
  const text = table(head, rows, 30);
  expect(widest(text)).toBeLessThanOrEqual(30);
  expect(text.split('\n')[1]).toBe('a          7  one two three');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('one two three four five six');
});

it('lists each row by itself where the table is wider than the terminal even when wrapped', () => {
  const id = 'key_0123456789abcdef01';
  const ids = [
    [id, id],
    [id, ''],
  ];
  expect(table(['Key id', 'Account'], ids, 30)).toBe(`Key id   ${id}\nAccount  ${id}\n\nKey id  ${id}`);
  expect(table(['Key id', 'Account'], ids, 46)).toMatch(/^KEY ID +ACCOUNT$/m);
});

it('wraps no cell of a grid that does not fit even then', () => {
  const text = grid(
    ['Check', 'Found'],
    [['function concurrency', 'arn:aws:iam::000000000000:role/name']],
    30,
  );
  expect(text.split('\n')).toHaveLength(2);
});

it('counts a character of several code units as one, and keeps what it is given', () => {
  expect(table(['A', 'B'], [['é日', 'x']])).toContain('x');
  expect(table(head, [])).toBe('NAME  USED  NOTE');
});

it('leaves out facts without a value', () => {
  expect(
    facts([
      ['Name', 'a'],
      ['Ends', undefined],
      ['Used up', 3],
    ]),
  ).toBe('Name     a\nUsed up  3');
});

describe('the table of keys', () => {
  const view = (account: string, name: string) => ({
    keyId: 'key_0123456789abcdef01',
    account: accountId(account),
    plan: 'enterprise' as const,
    mode: 'live' as const,
    state: 'expiring' as const,
    createdAt: '2026-11-21T12:00:00.000Z',
    createdBy: 'jane',
    name,
  });
  const views = [
    view('acc_0123456789abcdef01', 'web shop, staging environment of the team'),
    view('acc_0123456789abcdef02', 'short'),
  ];

  it('is one table where there is room', () => {
    expect(keyTable(views, Number.POSITIVE_INFINITY, 'KEY ID').split('\n')).toHaveLength(3);
  });

  it('is one table for each account in 80 columns, with every id whole', () => {
    const text = keyTable(views, 80, 'KEY ID');
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text.match(/^acc_\w+, plan enterprise$/gm)).toHaveLength(2);
    expect(text.match(/^key_0123456789abcdef01 /gm)).toHaveLength(2);
  });

  it('names the account, wide or narrow, and the origins and the cap of site keys', () => {
    const sites = views.map((each) => ({
      ...each,
      accountName: 'Acme',
      origins: ['https://example.com', 'https://*.example.com'].map(allowedOrigin),
      maxPerMonth: 1_000,
    }));
    const wide = keyTable(sites, Number.POSITIVE_INFINITY, 'SITE KEY ID');
    expect(wide.split('\n')[0]).toMatch(
      /^SITE KEY ID +ACCOUNT +ACCOUNT NAME +PLAN .*AT MOST +ORIGINS +NAME$/,
    );
    expect(
      wide.match(/ Acme .* 1,000 per month +https:\/\/example\.com https:\/\/\*\.example\.com /g),
    ).toHaveLength(2);
    const narrow = keyTable(sites, 80, 'SITE KEY ID');
    expect(narrow.match(/^Acme \(acc_\w+\), plan enterprise$/gm)).toHaveLength(2);
    expect(narrow).toContain('https://*.example.com');
  });
});

it('a result is written for the width of the terminal, and JSON in one line', () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  createOutput({ stdout: { ...stream, columns: 40 }, stderr: stream }, false).result(
    {},
    (columns) => `${columns}`,
  );
  createOutput({ stdout: stream, stderr: stream }, false).result({}, (columns) => `${columns}`);
  createOutput({ stdout: stream, stderr: stream }, true).result({ a: [1] }, () => 'text');
  expect(written).toEqual(['40\n', 'Infinity\n', '{"a":[1]}\n']);
});
