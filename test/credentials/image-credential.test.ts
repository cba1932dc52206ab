/** The credential of a request for an image: a key, a signature or a site key, and never two of them. */

import { imageCredentialFrom, isSignedQuery } from '../../lambda/credentials/credential';

type Values = Readonly<Record<string, readonly string[]>>;

const read = (query: Values, headers: Values = {}) =>
  imageCredentialFrom({ query, header: (name) => headers[name] ?? [] });
const page = { isImageLoad: false };
const conflicting = { kind: 'conflicting' };

describe('the credential of an image', () => {
  it.each<[string, Values, Values, object]>([
    ['nothing', {}, {}, { kind: 'none' }],
    ['a key', { api_key: ['a'] }, {}, { kind: 'key', from: 'query', key: 'a' }],
    ['a signer', { signer: ['sg'], signature: ['s'] }, {}, { kind: 'signer', id: 'sg' }],
    ['a signer without a signature', { signer: ['sg'] }, {}, { kind: 'signer', id: 'sg' }],
    ['a signature without a signer', { signature: ['s'] }, {}, { kind: 'signer', id: '' }],
    ['an empty signer', { signer: [''] }, {}, { kind: 'signer', id: '' }],
    ['an empty signature', { signature: [''] }, {}, { kind: 'signer', id: '' }],
    ['two signers', { signer: ['sg', 'sg'] }, {}, { kind: 'signer', id: '' }],
    ['a site key', { site: ['s'] }, {}, { kind: 'site', key: 's', page }],
    ['an empty site key', { site: [''] }, {}, { kind: 'none' }],
    ['two site keys', { site: ['a', 'b'] }, {}, { kind: 'site', key: '', page }],
    [
      'a site key in a page',
      { site: ['s'] },
      { origin: ['https://a.example'] },
      { kind: 'site', key: 's', page: { origin: 'https://a.example', isImageLoad: false } },
    ],
    [
      'a site key with two origins',
      { site: ['s'] },
      { origin: ['https://a.example', 'https://b.example'] },
      {
        kind: 'site',
        key: 's',
        page: { origin: 'null', isImageLoad: false },
      },
    ],
    ['a key beside a signature', { api_key: ['a'], signer: ['sg'], signature: ['s'] }, {}, conflicting],
    ['a header beside a signature', { signature: ['s'] }, { 'x-api-key': ['a'] }, conflicting],
    ['a bearer token beside a signature', { signer: ['sg'] }, { authorization: ['Bearer a'] }, conflicting],
    ['two keys beside a signature', { signer: ['sg'], api_key: ['a', 'b'] }, {}, conflicting],
    ['a key beside a site key', { api_key: ['a'], site: ['s'] }, {}, conflicting],
    ['a signature beside a site key', { signer: ['sg'], site: ['s'] }, {}, conflicting],
    ['an empty key beside a signature', { api_key: [''], signer: ['sg'] }, {}, { kind: 'signer', id: 'sg' }],
    [
      'another scheme beside a site key',
      { site: ['s'] },
      { authorization: ['Basic YTpi'] },
      { kind: 'unreadable' },
    ],
    ['an expiry alone', { expires: ['1'] }, {}, { kind: 'none' }],
  ])('from %s', (_, query, headers, expected) => expect(read(query, headers)).toEqual(expected));

  it('is a signature wherever one of its parts is, even an empty one', () => {
    expect(isSignedQuery({ signer: [''] })).toBe(true);
    expect(isSignedQuery({ signature: [''] })).toBe(true);
    expect(isSignedQuery({ expires: ['1'], sig: ['x'] })).toBe(false);
  });
});
