/** What an answer says about a charge that stands. */

import { monthWindow } from '../../lambda/base/window';
import { type Answer, withStandingCharge } from '../../lambda/images/answer';
import { deliveryUrl } from '../fakes/branded';
import { anImage } from '../fakes/stock';

const rateLimit = { limit: 10, remaining: 9, window: monthWindow(0) };

it('makes an image one that is not free', () => {
  const image = { ...anImage, location: deliveryUrl('https://cdn.example/a.webp') };
  const answer: Answer = { outcome: 'served', image, cache: 'HIT', rateLimit };
  expect(withStandingCharge<Answer>({ ...answer, isFree: true })).toEqual(answer);
  expect(withStandingCharge(answer)).toEqual(answer);
});

it('makes a refusal, and an image that is lost, one that is owed', () => {
  const refused: Answer = { outcome: 'refused', refusal: { code: 'no_image_found' } };
  expect(withStandingCharge(refused)).toEqual({ ...refused, isOwed: true });
  expect(withStandingCharge({ outcome: 'lost' })).toEqual({ outcome: 'lost', isOwed: true });
});
