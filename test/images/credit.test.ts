/** What each licence asks for, by the ids that the adapters give them. */

import { asksForCredit, isAttributionFree, isPublicDomain } from '../../lambda/images/credit';
import { creditRowOf } from '../../lambda/images/shown-images';
import { anImage, aPlaceholder } from '../fakes/stock';

it.each`
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

describe('the row of an image that an account has shown', () => {
  const shown = { pick: 'p1', since: '2026-11-21T00:00:00.000Z', pages: ['about', 'home'] };

  it('says whose it is as it was shown, and what it is now', async () => {
    const { attribution } = anImage;
    const about = async () => ({ isGone: true, placeholder: aPlaceholder });
    expect(await creditRowOf({ about }, { ...shown, attribution })).toEqual({
      ...shown,
      provider: 'Openverse',
      creator: 'Zoë Müller',
      license: 'CC BY 4.0',
      licenseUrl: attribution.license.url,
      link: attribution.landingUrl,
      creditLine: attribution.creditLine,
      creditDue: true,
      gone: true,
      placeholder: aPlaceholder.dataUri,
    });
  });

  it.each([
    ['unsplash', true],
    ['pexels', false],
  ])(
    'asks for the credit of %s as its markup does (%s), and has null for what is not known',
    async (id, due) => {
      const attribution = { providerName: 'P', license: { id, name: 'N' }, creditLine: 'C' };
      const row = await creditRowOf({ about: async () => ({ isGone: false }) }, { ...shown, attribution });
      const unknown = { creator: null, licenseUrl: null, link: null, placeholder: null };
      expect(row).toMatchObject({ ...unknown, license: 'N', creditDue: due, gone: false });
    },
  );
});
