/** The note lists parameters without effect, and suggests the meant names. */

import { parameterNames } from '../../lambda/contract/parameters';
import { writeIgnoredNote } from '../../lambda/requests/ignored-note';
import { makeRawRequest } from './raw-request';

const note = (form: string) => {
  const { query } = makeRawRequest(form);
  return writeIgnoredNote(Object.keys(query), parameterNames, query['provider']?.[0] === 'ai');
};

test.each([
  ['?query=lake', undefined],
  ['?q=lake&w=300&h=200&amp;seed=2', undefined],
  ['?size=big&qurey=lake', 'ignored: size, qurey; did you mean query?'],
  ['?query=lake&Width=300&colour=red', 'ignored: Width, colour; did you mean width, color?'],
  // A name that lacks a letter may look like a name with two letters swapped.
  ['?query=lake&clor=red&vsibility=public', 'ignored: clor, vsibility; did you mean color, visibility?'],
  ['?query=lake&colro=red&wdith=9', 'ignored: colro, wdith; did you mean color, width?'],
  ['?query=lake&apikey=x&key=y', 'ignored: apikey, key; did you mean api_key?'],
  ['?query=lake&utm_source=x&v=1', 'ignored: utm_source, v'],
  ['?query=lake&style=dark', 'ignored: style; style only with provider=ai'],
  ['?query=lake&size=1&style=dark', 'ignored: size, style; style only with provider=ai'],
  ['?query=lake&label=corner&onmiss=ai', undefined],
  ['?query=lake&provider=ai&style=dark', undefined],
  ['?query=lake&provider=ai&seed=2', 'ignored: seed; seed not with provider=ai'],
  ['?query=lake&__proto__=1&constructor=1', 'ignored: __proto__, constructor'],
  ['?query=lake&caf%C3%A9%0D%0A=1', 'ignored: caf?'],
  ['?query=lake&pk_live_4eC39HqLyjWDarjtT1zdp7dcABCDEF', 'ignored: pk_live_...'],
  ['800x600-lake?=1', undefined],
])('the note for %s is %s', (form, expected) => expect(note(form)).toBe(expected));

test('the note on ignored parameters fits into a header for any number and length of names', () => {
  const names = Array.from({ length: 500 }, (_, i) => `${'n'.repeat(i % 90)}${i}`);
  const ignoredNote = note(`?${[...names, 'qurey', 'style'].map((name) => `${name}=1`).join('&')}`);
  expect(ignoredNote).toMatch(/^ignored: 0, .* and \d+ more$/);
  expect(ignoredNote?.length).toBeLessThanOrEqual(300);
});
