/** A page full of new AI images at once: each is served, or comes as a card that asks for patience. */

import { ask, header } from './ask';
import { type LocalAccounts, localAccounts } from './local-account';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
let accounts: LocalAccounts;
beforeAll(async () => {
  service = await sharedService();
  accounts = await localAccounts(service.url);
});
afterAll(() => accounts?.close());

const images = 40;
/** Rounds of a page that loads its missing images again; a slow machine draws a few dozen in each. */
const roundsMax = 8;

const asImage = { 'sec-fetch-dest': 'image', accept: 'image/avif,image/webp,image/*,*/*;q=0.8' } as const;

test('40 new images at once are redirects, or cards with 503 while they are being made, and each costs one unit', async () => {
  // Thirty of an account may begin in a minute.
  const owners = [await accounts.open('business', 0), await accounts.open('business', 0)] as const;
  const load = (number: number) =>
    ask(service.url, {
      path: `/api/image/320x200-crowd-${number}?provider=ai`,
      headers: { ...asImage, 'X-API-Key': owners[number % 2 === 0 ? 0 : 1].key },
    });
  let missing = Array.from({ length: images }, (_, number) => number);
  for (let round = 0; missing.length > 0 && round < roundsMax; round++) {
    const answers = await Promise.all(
      missing.map(async (number) => ({ number, answer: await load(number) })),
    );
    for (const { answer } of answers) {
      expect([302, 503]).toContain(answer.status);
      expect(header(answer, 'x-ratelimit-limit')).toBe('500000');
      if (answer.status === 302) continue;
      expect(header(answer, 'content-type')).toContain('image/svg+xml');
      expect(header(answer, 'x-image-fallback')).toBe('generation_in_progress');
      expect(Number(header(answer, 'retry-after'))).toBeGreaterThan(0);
    }
    missing = answers.filter(({ answer }) => answer.status !== 302).map(({ number }) => number);
  }
  expect(missing).toEqual([]);
  expect((await owners[0].taken()) + (await owners[1].taken())).toBe(images);
}, 200_000);
