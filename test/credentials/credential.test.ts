/** The key of a request, wherever it stands, and what is refused in its place. */

import fc from 'fast-check';
import { keyCredentialFrom } from '../../lambda/credentials/credential';

const none = { kind: 'none' };
const conflicting = { kind: 'conflicting' };
const unreadable = { kind: 'unreadable' };
const header = (key: string) => ({ kind: 'key', from: 'header', key });
const query = (key: string) => ({ kind: 'key', from: 'query', key });

const credentialFrom = (
  keyHeaders: readonly string[],
  parameters: readonly string[],
  authorizations: readonly string[] = [],
) =>
  keyCredentialFrom({
    header: (name) => (name === 'x-api-key' ? keyHeaders : name === 'authorization' ? authorizations : []),
    query: { api_key: parameters },
  });

describe('a credential', () => {
  it.each([
    ['nothing', [], [], none],
    ['an empty header', [''], [], none],
    ['an empty parameter', [], [''], none],
    ['spaces only', ['  '], ['\t'], none],
    ['a header', ['a'], [], header('a')],
    ['a parameter', [], ['a'], query('a')],
    ['both', ['a'], ['b'], conflicting],
    ['the same key in both', ['a'], [' a'], header('a')],
    ['an empty header beside a parameter', [''], ['b'], query('b')],
    ['a header beside an empty parameter', ['a'], [''], header('a')],
    ['a header among empty ones', ['', 'a', ''], [], header('a')],
    ['two different headers', ['a', 'b'], [], conflicting],
    ['the same header twice', ['a', 'a '], [], header('a')],

    ['two different parameters', [], ['a', 'b'], conflicting],
    ['the same parameter twice', [], ['a', 'a'], query('a')],

    ['spaces around it', [' a '], [], header('a')],
  ])('from %s', (_, headers, parameters, expected) =>
    expect(credentialFrom(headers, parameters)).toEqual(expected),
  );

  it.each([
    ['a bearer token', [], ['Bearer a'], [], { kind: 'key', from: 'bearer', key: 'a' }],
    ['a bearer token in other letters', [], ['bearer  a '], [], { kind: 'key', from: 'bearer', key: 'a' }],
    ['a bearer token beside another parameter', [], ['Bearer a'], ['b'], conflicting],
    ['a header beside another bearer token', ['a'], ['Bearer b'], [], conflicting],
    ['the same key in all places', ['a'], ['Bearer a'], ['a'], header('a')],
    ['two different bearer tokens', [], ['Bearer a', 'Bearer b'], [], conflicting],
    ['an empty bearer token', [], ['Bearer '], [], none],
    ['a scheme alone', [], ['bearer'], [], none],
    ['an empty authorization', [], [' '], [], none],
    ['a bearer token of two words', [], ['Bearer a b'], [], unreadable],
    ['another scheme', [], ['Basic YTpi'], [], unreadable],
    ['a key without a scheme', [], ['pk_live_a'], [], unreadable],
    ['a misspelt scheme', [], ['Bearerpk_live_a'], [], unreadable],
    ['another scheme beside a parameter', [], ['Digest a'], ['b'], unreadable],
    ['another scheme beside a header', ['b'], ['Digest a'], [], unreadable],
  ])('from %s', (_, headers, authorizations, parameters, expected) =>
    expect(credentialFrom(headers, parameters, authorizations)).toEqual(expected),
  );

  it('is never one of several different keys', () => {
    const key = fc.string().filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(key, fc.array(fc.string()), (own, parameters) => {
        const others = parameters.map((each) => each.trim()).filter((each) => each !== '');
        const isOne = others.every((each) => each === own.trim());
        expect(credentialFrom([own], parameters)).toEqual(isOne ? header(own.trim()) : conflicting);
      }),
    );
  });
});
