/** The credit that each licence asks for, by its id. */

import { asksForCredit, isAttributionFree, isPublicDomain } from '../../lambda/images/credit';

test.each`
  id                                   | publicDomain | attributionFree | credit
  ${'cc0-1.0'}                         | ${true}      | ${true}         | ${false}
  ${'pdm-1.0'}                         | ${true}      | ${true}         | ${false}
  ${'public-domain'}                   | ${true}      | ${true}         | ${false}
  ${'no-restrictions'}                 | ${true}      | ${true}         | ${false}
  ${'no-known-copyright-restrictions'} | ${true}      | ${true}         | ${false}
  ${'pexels'}                          | ${false}     | ${true}         | ${false}
  ${'pixabay'}                         | ${false}     | ${true}         | ${false}
  ${'library'}                         | ${false}     | ${true}         | ${false}
  ${'unsplash'}                        | ${false}     | ${true}         | ${true}
  ${'ai-generated'}                    | ${false}     | ${true}         | ${false}
  ${'cc-by-4.0'}                       | ${false}     | ${false}        | ${true}
  ${'cc-by-sa-3.0'}                    | ${false}     | ${false}        | ${true}
  ${'cc0ish'}                          | ${false}     | ${false}        | ${true}
  ${'unknown'}                         | ${false}     | ${false}        | ${true}
`(
  '$id: public domain $publicDomain, attribution-free $attributionFree, asks for a credit $credit',
  ({ id, publicDomain, attributionFree, credit }) => {
    const license = { id: id as string, name: 'Name' };
    expect(isPublicDomain(license)).toBe(publicDomain);
    expect(isAttributionFree(license)).toBe(attributionFree);
    expect(asksForCredit(license)).toBe(credit);
  },
);
