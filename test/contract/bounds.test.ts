/** All bounds of the contract that documents promise, in numbers: a change of one changes the service. */

import { batchBounds, pageBounds } from '../../lambda/contract/batch';
import { sharedCachingS, siteCachingS } from '../../lambda/contract/edge';
import { renditionTtlDays } from '../../lambda/contract/image-paths';
import { keyBounds } from '../../lambda/contract/key-bounds';
import * as plans from '../../lambda/contract/plans';
import { pickTtlMs, requestsPerSearchMax } from '../../lambda/contract/providers';
import * as bounds from '../../lambda/contract/request-bounds';
import { siteLink } from '../../lambda/contract/site';
import { testSlowMs } from '../../lambda/contract/test-values';

test('a request, a batch, a page and a key have the bounds that are documented', () => {
  expect(bounds).toMatchObject({
    sidePx: { min: 100, max: 4_000, defaultWidth: 1_920, defaultHeight: 1_080 },
    variationBounds: { min: 1, max: 10 },
    ...{ queryCharactersMax: 200, seedCharactersMax: 64, choiceImagesMax: 20, altCharactersMax: 125 },
  });
  expect([batchBounds, pageBounds, keyBounds]).toEqual([
    { imagesMax: 24, bytesMax: 65_536, excludedMax: 200, slotCharactersMax: 64 },
    { imagesMax: 24, bytesMax: 1_048_576, answerBytesMax: 5_000_000 },
    { nameCharactersMax: 64, originsMax: 20, activeMax: 50 },
  ]);
});

test('a caller has the limits that are documented', () => {
  expect(plans.workPerHour).toEqual({
    ...{ free: 300, pro: 2_000, business: 10_000, enterprise: 40_000, test: 100 },
    ...{ anonymous: 30, allAnonymous: 3_000, visitor: 60, paidImage: 60 },
  });
  expect(plans.tierPerSecond).toEqual({
    ...{ anonymous: 50, test: 200, free: 800, pro: 2_000, business: 3_000, enterprise: 4_000 },
  });
  expect(plans).toMatchObject({
    ...{ anonymousRequestsPerHour: 10, testRequestsPerHour: 100, selfServicePerMinute: 30 },
    ...{ unprovenShareOfSite: 0.1, usageHistoryMonths: 13 },
    generationBounds: { accountPerMinute: 30, allPerMinute: 120, testPerMonth: 25 },
    generationShare: { account: 0.25, accountMin: 25 },
  });
});

test('images and answers are kept as long as is documented', () => {
  expect(sharedCachingS).toEqual({ fresh: 86_400, staleWhileRevalidate: 86_400, staleIfError: 604_800 });
  // A revoked site key is refused everywhere within a minute: the authorizer knows it for half of that.
  expect(siteCachingS).toBe(30);
  expect([renditionTtlDays, pickTtlMs / 86_400_000, requestsPerSearchMax, testSlowMs]).toEqual([
    30, 400, 3, 8_000,
  ]);
});

test.each([
  ['ops@example.org', 'mailto:ops@example.org'],
  ['http://example.org/a', 'http://example.org/a'],
  ['https://example.org', 'https://example.org'],
  ['javascript:alert(1)', 'mailto:javascript:alert(1)'],
])('a link to %s leads to %s', (target, link) => {
  expect(siteLink(target)).toBe(link);
});
