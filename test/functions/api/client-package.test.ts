/** The client package and the service mean the same: parameters, sizes and identity of an image. */

import fc from 'fast-check';
import type * as z from 'zod/mini';
import { credentialParameters, parameterNames, signedParameters } from '../../../lambda/contract/parameters';
import type { ImageSource } from '../../../lambda/contract/providers';
import type { recordSchema } from '../../../lambda/images/record';
import type { filledImageSchema } from '../../../lambda/pages/fill-page';
import type { problemSchema } from '../../../lambda/problems/problem-document';
import { computeFingerprint } from '../../../lambda/requests/image-request';
import type { RequestTexts } from '../../../lambda/requests/parse-request';
import { imageUrl } from '../../../packages/client/src/image-url';
import * as service from '../../../packages/client/src/service';
import { writeCanonicalForm } from '../../../packages/client/src/signer';
import { spec } from '../../../packages/client/test/arbitrary-spec';
import { parseImageRequest, parseRaw } from '../../requests/raw-request';
import { imageRequest, writePathForm, writeQueryForm } from '../../requests/request-arbitrary';

const root = 'https://img.example.com';

function groupValues(search: URLSearchParams): RequestTexts['query'] {
  return Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)]));
}

/** The URL of a request as the parser takes it apart. */
function writeUrl({ pathParameters: { spec: segment } = {}, query }: RequestTexts): string {
  const search = Object.entries(query).flatMap(([name, all = []]) =>
    all.map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return `${root}/api/image${segment === undefined ? '' : `/${segment}`}?${search.join('&')}`;
}

/** One with a dot segment is the URL of other words before it is signed or sent. */
const hasNoDotSegment = ({ pathParameters: { spec: segment = '' } = {} }: RequestTexts) =>
  !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(segment);

/** All fields as values that nobody changes, and nothing that is `undefined`. */
type Plain<T> = T extends readonly (infer Each)[]
  ? readonly Plain<Each>[]
  : T extends object
    ? { readonly [Field in keyof T]: Plain<Exclude<T[Field], undefined>> }
    : T;
/** `true` where both are the same type, an optional field that one of them lacks included. */
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
test('the client package has the types of the service, as the compiler says', () => {
  const same: {
    readonly record: Same<service.ImageRecord, z.infer<typeof recordSchema>>;
    readonly report: Same<service.ReportRow, z.infer<typeof filledImageSchema>>;
    // The service may add codes: who knows the others reads those too.
    readonly problem: Same<service.Problem, Omit<z.infer<typeof problemSchema>, 'code'> & { code: string }>;
    readonly provider: Same<service.ListedValues['provider'], ImageSource>;
  } = { record: true, report: true, problem: true, provider: true };
  expect(Object.keys(same)).toHaveLength(4);
});

test('a signature covers each parameter but those of credentials, `format` and `publish`', () => {
  const unsigned = parameterNames.filter((name) => !service.signedParameters.includes(name));
  expect(unsigned.toSorted()).toEqual([...credentialParameters, 'format', 'publish'].sort());
  expect(signedParameters.toSorted()).toEqual(service.signedParameters);
});

test('the client package builds no URL that the service refuses for its size or its words', () => {
  fc.assert(
    fc.property(spec, (imageSpec) => {
      const parsed = parseRaw({ query: groupValues(new URL(imageUrl(root, imageSpec)).searchParams) });
      const faults = 'refusal' in parsed ? parsed.refusal.faults : [];
      // Words are the page's own: control characters and white space alone are refused by the service.
      expect(faults.filter(({ parameter }) => parameter !== 'query' && parameter !== 'seed')).toEqual([]);
    }),
  );
});

test('the client package signs the same text only for requests that are the same image', () => {
  const separator = fc.constantFrom('-', '_', '+', '/', '%20', '%2D', '%2B', '%2F');
  fc.assert(
    fc.property(imageRequest, imageRequest, separator, (firstRequest, otherRequest, between) => {
      const requestTexts = [
        writeQueryForm(firstRequest),
        writePathForm(firstRequest, between),
        writeQueryForm(otherRequest),
      ].filter(hasNoDotSegment);
      for (const texts of requestTexts) {
        for (const otherTexts of requestTexts) {
          if (writeCanonicalForm(writeUrl(texts)) !== writeCanonicalForm(writeUrl(otherTexts))) continue;
          expect(computeFingerprint(parseImageRequest(texts))).toBe(
            computeFingerprint(parseImageRequest(otherTexts)),
          );
        }
      }
    }),
  );
});
