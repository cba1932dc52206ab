/** A request has one credential: a key, a signature or a site key. Two are refused. */

import { hashValidKey, makeKey } from '../../lambda/credentials/api-key';
import { readImageCredential, readKeyCredential } from '../../lambda/credentials/credential';
import { createFakeIds } from '../fakes/ids';

type Values = Readonly<Record<string, readonly string[]>>;

const { makeBytes: bytes } = createFakeIds();
const [a, b] = [makeKey('pk', 'live', bytes), makeKey('pk', 'test', bytes)];
const site = makeKey('site', 'live', bytes);
const signer = 'sg_live_0123456789ab';
const makeKeyCredential = (key: string) => ({
  reference: hashValidKey('pk', key),
  refusal: 'invalid_api_key',
});
const makeSignerCredential = (reference?: string) => ({ reference, refusal: 'invalid_signature' });
const makeSiteCredential = (reference?: string, page = {}) => ({
  ...{ reference, refusal: 'invalid_site_key' },
  page: { isImageLoad: false, ...page },
});
const conflicting = { refusal: 'conflicting_parameters' };
const unreadable = { refusal: 'invalid_api_key' };
const read = (
  readCredential: typeof readKeyCredential,
  headers: readonly string[],
  query: Values,
  otherHeaders: Values = {},
) => {
  const headersByName: Values = { 'x-api-key': headers, ...otherHeaders };
  return readCredential({ query, getHeaderValues: (name) => headersByName[name] ?? [] });
};

describe('readKeyCredential', () => {
  test.each<[string, readonly string[], readonly string[], readonly string[], object | undefined]>([
    ['nothing', [], [], [], undefined],
    ['an empty header', [''], [], [], undefined],
    ['spaces only', ['  '], [], ['\t'], undefined],
    ['a header', [` ${a} `], [], [], makeKeyCredential(a)],
    ['a parameter', [], [], [a], makeKeyCredential(a)],
    ['a mistyped key', ['pk_live_abc'], [], [], unreadable],
    ['both', [a], [], [b], conflicting],
    ['the same key in all places', [a], [`Bearer ${a}`], [` ${a}`], makeKeyCredential(a)],
    ['an empty header beside a parameter', [''], [], [b], makeKeyCredential(b)],
    ['two different headers', [a, b], [], [], conflicting],
    ['the same header twice', [a, `${a} `], [], [], makeKeyCredential(a)],
    ['two different parameters', [], [], [a, b], conflicting],
    ['a bearer token in other letters', [], [`bearer  ${a} `], [], makeKeyCredential(a)],
    ['a bearer token beside another parameter', [], [`Bearer ${a}`], [b], conflicting],
    ['a header beside another bearer token', [a], [`Bearer ${b}`], [], conflicting],
    ['two different bearer tokens', [], [`Bearer ${a}`, `Bearer ${b}`], [], conflicting],
    ['an empty bearer token', [], ['Bearer '], [], undefined],
    ['an empty authorization', [], [' '], [], undefined],
    ['a bearer token of two words', [], [`Bearer ${a} b`], [], unreadable],
    ['another scheme', [], ['Basic YTpi'], [], unreadable],
    ['a key without a scheme', [], [a], [], unreadable],
    ['a misspelt scheme', [], [`Bearer${a}`], [], unreadable],
    ['another scheme beside a parameter', [], ['Digest a'], [b], unreadable],
  ])(
    '%s is read as the key, none, a conflict or a refusal',
    (_, headers, authorization, parameters, expected) =>
      expect(read(readKeyCredential, headers, { api_key: parameters }, { authorization })).toEqual(expected),
  );
});

describe('readImageCredential', () => {
  test.each<[string, Values, Values, object | undefined]>([
    ['nothing', {}, {}, undefined],
    ['a key', { api_key: [a] }, {}, makeKeyCredential(a)],
    ['a signer', { signer: [signer], signature: ['s'] }, {}, makeSignerCredential(signer)],
    ['a signer without a signature', { signer: [signer] }, {}, makeSignerCredential(signer)],
    ['a signature without a signer', { signature: ['s'] }, {}, makeSignerCredential()],
    ['what is no signer', { signer: ['sg_live_short'] }, {}, makeSignerCredential()],
    ['an empty signer', { signer: [''] }, {}, makeSignerCredential()],
    ['an empty signature', { signature: [''] }, {}, makeSignerCredential()],
    ['two signers', { signer: [signer, signer] }, {}, makeSignerCredential()],
    ['a site key', { site: [site] }, {}, makeSiteCredential(hashValidKey('site', site))],
    ['an API key as a site key', { site: [a] }, {}, makeSiteCredential()],
    ['an empty site key', { site: [''] }, {}, undefined],
    ['two site keys', { site: [site, `${site}x`] }, {}, makeSiteCredential()],
    [
      'a site key in a page',
      { site: [site] },
      { origin: ['https://a.example'] },
      makeSiteCredential(hashValidKey('site', site), { origin: 'https://a.example' }),
    ],
    [
      'a site key with two origins',
      { site: [site] },
      { origin: ['https://a.example', 'https://b.example'] },
      makeSiteCredential(hashValidKey('site', site), { origin: 'null' }),
    ],
    ['a key beside a signature', { api_key: ['a'], signer: [signer], signature: ['s'] }, {}, conflicting],
    ['a header beside a signature', { signature: ['s'] }, { 'x-api-key': ['a'] }, conflicting],
    ['a bearer token beside a signature', { signer: [''] }, { authorization: ['Bearer a'] }, conflicting],
    ['a key beside a site key', { api_key: ['a'], site: [site] }, {}, conflicting],
    ['a signature beside a site key', { signer: [signer], site: [site] }, {}, conflicting],
    [
      'an empty key beside a signature',
      { api_key: [''], signer: [signer] },
      {},
      makeSignerCredential(signer),
    ],
    ['another scheme beside a site key', { site: [site] }, { authorization: ['Basic YTpi'] }, unreadable],
    ['an expiry alone', { expires: ['1'] }, {}, undefined],
  ])('%s is read as a key, a signer, a site key, none or a conflict', (_, query, headers, expected) =>
    expect(read(readImageCredential, [], query, headers)).toEqual(expected),
  );
});
