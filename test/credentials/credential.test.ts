/** Which key takes precedence when a request has several. */

import fc from 'fast-check';
import { keyCredentialFrom } from '../../lambda/credentials/credential';

const none = { kind: 'none' };
const ambiguous = { kind: 'ambiguous' };
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
    ['both', ['a'], ['b'], header('a')],
    ['an empty header beside a parameter', [''], ['b'], query('b')],
    ['a header beside an empty parameter', ['a'], [''], header('a')],
    ['a header among empty ones', ['', 'a', ''], [], header('a')],
    ['two different headers', ['a', 'b'], [], ambiguous],
    ['two different headers beside a parameter', ['a', 'b'], ['c'], ambiguous],
    ['two different parameters', [], ['a', 'b'], ambiguous],
    ['a header beside two parameters', ['a'], ['b', 'c'], header('a')],
    ['spaces around it', [' a '], [], header('a')],
  ])('from %s', (_, headers, parameters, expected) =>
    expect(credentialFrom(headers, parameters)).toEqual(expected),
  );

  it.each([
    ['a bearer token', [], ['Bearer a'], [], { kind: 'key', from: 'bearer', key: 'a' }],
    ['a bearer token in other letters', [], ['bearer  a '], [], { kind: 'key', from: 'bearer', key: 'a' }],
    ['a bearer token beside a parameter', [], ['Bearer a'], ['b'], { kind: 'key', from: 'bearer', key: 'a' }],
    ['a header beside a bearer token', ['a'], ['Bearer b'], [], header('a')],
    ['two different bearer tokens', [], ['Bearer a', 'Bearer b'], [], ambiguous],
    ['an empty bearer token', [], ['Bearer '], [], none],
    ['a bearer token of two words', [], ['Bearer a b'], [], none],
    ['another scheme', [], ['Basic YTpi'], [], none],
    ['another scheme beside a parameter', [], ['Digest a'], ['b'], query('b')],
  ])('from %s', (_, headers, authorizations, parameters, expected) =>
    expect(credentialFrom(headers, parameters, authorizations)).toEqual(expected),
  );

  it('never comes from the parameter when the header holds one', () => {
    const key = fc.string().filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(key, fc.array(fc.string()), (own, parameters) => {
        expect(credentialFrom([own], parameters)).toEqual(header(own.trim()));
      }),
    );
  });
});
