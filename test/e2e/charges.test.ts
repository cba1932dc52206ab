/** Charges from the outside: the cost of each kind of request, by the counters and the usage report. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { UsageBreakdown, UsageDocument } from '../../lambda/quota/usage/usage-schema';
import { startFixture } from '../fakes/fixture';
import { ask, postJson } from './ask';
import { connectLocalAccounts } from './local-account';
import { createOperator } from './operator';
import { readUntil } from './read-until';
import { getSharedService } from './shared-service';

const service = startFixture(getSharedService);
const accounts = startFixture(() => connectLocalAccounts(service.url));
const operator = startFixture(async () => createOperator(service.url));

const origin = 'https://example.com';
const writePath = (words: string, otherParameters = '') =>
  `/api/image?query=${words}&width=320&height=200${otherParameters}`;
const askByKey = (key: string, path: string) => ask(service.url, { path, headers: { 'X-API-Key': key } });
const askBySite = (siteKey: string, words: string) =>
  ask(service.url, { path: writePath(words, `&site=${siteKey}`), headers: { Origin: origin } });

test('the report has the units that each kind of request costs', async () => {
  const { key, keyId, account, readTaken } = await accounts.open('business', 0);
  const { signer, signerId } = await operator.openSigner(account);
  const { siteKey, siteKeyId } = await operator.openSite(account, origin, 500);
  const askSigned = async (words: string) => ask(service.url, { path: await signer.sign(writePath(words)) });
  const slots = ['fig', 'date'].map((query) => ({ slot: query, query, width: 320, height: 200 }));
  const rows: [what: string, send: () => Promise<{ status: number }>, status: number, units: number][] = [
    ['a stock image', () => askByKey(key, writePath('pear')), 302, 1],
    ['the same stock image', () => askByKey(key, writePath('pear')), 302, 1],
    ['the first view of a signed URL', () => askSigned('plum'), 302, 1],
    ['another view on the same day', () => askSigned('plum'), 302, 0],
    ['a view of the same image by a site key', () => askBySite(siteKey, 'plum'), 302, 0],
    ['the first view by a site key', () => askBySite(siteKey, 'quince'), 302, 1],
    ['an AI image', () => askByKey(key, writePath('medlar', '&provider=ai')), 302, 1],
    ['its variation', () => askByKey(key, writePath('medlar', '&provider=ai&variation=1')), 302, 0],
    ['a refused prompt', () => askByKey(key, writePath('forbidden', '&provider=ai')), 422, 0],
    ['a size out of bounds', () => askByKey(key, '/api/image/99x99-pear'), 400, 0],
    ['an unknown image', () => askByKey(key, `/api/image/id/${'0'.repeat(32)}`), 404, 0],
    ['a batch of two images', () => postJson(service.url, '/api/images', key, { images: slots }), 200, 2],
  ];
  for (const [what, send, status, units] of rows) {
    const takenBefore = await readTaken();
    const answer = await send();
    expect([what, answer.status, (await readTaken()) - takenBefore]).toEqual([what, status, units]);
  }
  const readUsage = async () =>
    JSON.parse((await askByKey(key, '/api/usage')).body) as UsageDocument & { breakdown: UsageBreakdown };
  // A count that was not written within 150 ms is written after the answer.
  const isWritten = ({ breakdown }: Awaited<ReturnType<typeof readUsage>>) => breakdown.requests === 7;
  const { used, remaining, breakdown } = await readUntil(readUsage, isWritten, { withinMs: 10_000 });
  expect([used, remaining]).toEqual([7, defaultPlans.business.monthlyRequests - 7]);
  expect(breakdown).toMatchObject({
    requests: 7,
    free: 1,
    refused: { content_refused: 1, invalid_parameter: 1, not_found: 1 },
  });
  const paidBy = new Map(breakdown.byKey?.map(({ keyId: id, requests }) => [id, requests]));
  expect([keyId, signerId, siteKeyId].map((id) => paidBy.get(id))).toEqual([5, 1, 1]);
});

// Visitors of a page learn no limit of its account.
test.each([
  ['account', 8],
  ['key', 8],
  ['site key', 1],
])('40 requests at once get no more than the 8 units of their %s', async (bound, remainders) => {
  const spent = bound === 'account' ? defaultPlans.pro.monthlyRequests - 8 : 0;
  const { key, account } = await accounts.open('pro', spent);
  const { siteKey } = await operator.openSite(account, origin, 8);
  const keyOptions = ['--account', account, '--name', 'capped', '--max-per-month', '8'];
  const capped = bound === 'key' ? (await operator.runKeys('create', ...keyOptions)).key : key;
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      bound === 'site key' ? askBySite(siteKey, `capped+${i}`) : askByKey(capped, writePath(`capped+${i}`)),
    ),
  );
  const served = answers.filter(({ status }) => status === 302);
  expect(served).toHaveLength(8);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302, 429]));
  expect(new Set(served.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(remainders);
});
