/**
 * Charges from the outside: 300 random requests of two accounts, 40 at a time, by keys, signed URLs and a
 * site key; 3,000 where properties get more inputs. A model that knows the rules alone says what each answer
 * has cost; headers, the report and the counters must agree.
 */

import { defaultPlans } from '../../lambda/contract/plans';
import type { UsageBreakdown, UsageDocument } from '../../lambda/quota/usage/usage-schema';
import type { Signer } from '../../packages/client/src/client';
import { fixtureOf } from '../fakes/fixture';
import { createFakeIds } from '../fakes/ids';
import { type Answer, ask, header, postJson } from './ask';
import { localAccounts } from './local-account';
import { operatorAt } from './operator';
import { readUntil } from './read-until';
import { sharedService } from './shared-service';
import { withinOneHour } from './within-one-hour';

jest.setTimeout(300_000);

const requests = process.env['FC_NUM_RUNS'] ? 3_000 : 300;
const atOnce = 40;
/** Requests that are left of the month: the small account's is used up on the way; the large one's is not. */
const unitsLeft = { pro: 30, business: 100_000 } as const;
const capOfKey = 8;
const capOfSite = 8;
const origin = { Origin: 'https://example.com' };

const service = fixtureOf(sharedService);
const accounts = fixtureOf(() => localAccounts(service.url));
const operator = fixtureOf(async () => operatorAt(service.url));

interface Account {
  readonly account: string;
  readonly key: string;
  readonly keyId: string;
  /** Units of the month that were used before. */
  readonly spent: number;
  readonly signer: Signer;
  readonly signerId: string;
  /** Images that its signer and site key have shown. */
  readonly shown: Set<string>;
  /** Units by the model: those of each key, and one for each shown image. */
  readonly paid: Map<string, number>;
  /** Free deliveries, and refusals that are not of a limit, by code. */
  free: number;
  readonly refused: Map<string, number>;
  isUsedUp: boolean;
  readonly remaining: number[];
}

interface Large extends Account {
  readonly capped: { readonly key: string; readonly keyId: string };
  readonly siteKey: string;
  readonly siteKeyId: string;
}

/** Numbers that are the same in each run, from 0 to below 1. */
function createRandom(): () => number {
  const { bytes } = createFakeIds();
  return () => Buffer.from(bytes(4)).readUInt32BE() / 2 ** 32;
}

async function open(plan: 'pro' | 'business'): Promise<Account> {
  const spent = defaultPlans[plan].monthlyRequests - unitsLeft[plan];
  const opened = await accounts.open(plan, spent);
  return {
    ...opened,
    spent,
    ...(await operator.openSigner(opened.account)),
    shown: new Set(),
    paid: new Map(),
    free: 0,
    refused: new Map(),
    isUsedUp: false,
    remaining: [],
  };
}

async function openLarge(): Promise<Large> {
  const account = await open('business');
  const more = ['--account', account.account, '--name', 'capped', '--max-per-month', String(capOfKey)];
  const capped = await operator.keys('create', ...more);
  return { ...account, capped, ...(await operator.openSite(account.account, origin.Origin, capOfSite)) };
}

const add = (counts: Map<string, number>, name: string, more = 1) =>
  counts.set(name, (counts.get(name) ?? 0) + more);
const codeOf = ({ body }: Answer) => (JSON.parse(body) as { code: string }).code;

/** Counts the cost of an answer to a request by a key: one unit for an image that is not free, else none. */
function countByKey(account: Account, keyId: string, answer: Answer, isFree = false): void {
  if (answer.status === 302) {
    if (isFree) account.free += 1;
    else {
      add(account.paid, keyId);
      account.remaining.push(Number(header(answer, 'x-ratelimit-remaining')));
    }
    return;
  }
  const code = codeOf(answer);
  if (code === 'quota_exceeded' || code === 'rate_limited') account.isUsedUp ||= keyId === account.keyId;
  else add(account.refused, code);
}

/**
 * Counts what a view has cost: one unit for the image and day. A view is refused only where its account or
 * its site key is used up.
 */
async function countView(
  account: Account,
  image: string,
  asking: Promise<Answer>,
  isCapped = false,
): Promise<void> {
  const wasShown = account.shown.has(image);
  const answer = await asking;
  if (answer.status === 302) account.shown.add(image);
  else {
    expect([codeOf(answer), wasShown]).toEqual(['quota_exceeded', false]);
    if (!isCapped) account.isUsedUp = true;
  }
}

const size = '320x200';

/** One random request, and what the model makes of its answer. */
async function askOne(small: Account, large: Large, random: () => number): Promise<void> {
  const word = () => `charge ${Math.floor(random() * 60)}`;
  const pathOf = (words: string) => `/api/image?query=${encodeURIComponent(words)}&width=320&height=200`;
  const by = (key: string, path: string) => ask(service.url, { path, headers: { 'X-API-Key': key } });
  const account = random() < 0.3 ? small : large;
  const dice = random();
  if (dice < 0.3) {
    countByKey(account, account.keyId, await by(account.key, pathOf(word())));
  } else if (dice < 0.36) {
    const { key, keyId } = large.capped;
    countByKey(large, keyId, await by(key, pathOf(word())));
  } else if (dice < 0.66) {
    const words = word();
    const path = await account.signer.sign(pathOf(words));
    await countView(account, words, ask(service.url, { path }));
  } else if (dice < 0.78) {
    const words = word();
    const path = `${pathOf(words)}&site=${large.siteKey}`;
    await countView(large, words, ask(service.url, { path, headers: origin }), true);
  } else if (dice < 0.86) {
    const path =
      random() < 0.5 ? `/api/image/99x99-${size}` : '/api/image/id/0123456789abcdef0123456789abcdef';
    countByKey(large, large.keyId, await by(large.key, path));
  } else if (dice < 0.93) {
    const isVariation = random() < 0.5;
    const path = `${pathOf(`drawn ${Math.floor(random() * 3)}`)}&provider=ai${isVariation ? '&variation=1' : ''}`;
    countByKey(large, large.keyId, await by(large.key, path), isVariation);
  } else {
    const from = Math.floor(random() * 60);
    const images = [0, 1, 2].map((i) => ({
      slot: `s${i}`,
      query: `charge ${(from + i) % 60}`,
      width: 320,
      height: 200,
    }));
    const response = await postJson(service.url, '/api/images', large.key, { images });
    const { images: slots = {}, code: refused } = (await response.json()) as {
      images?: Record<string, { url?: string; code?: string }>;
      code?: string;
    };
    // A call that is refused as a whole, as on a busy machine, counts as one refusal.
    if (refused !== undefined) add(large.refused, refused);
    for (const { url, code = '' } of Object.values(slots)) {
      if (url === undefined) add(large.refused, code);
      else add(large.paid, large.keyId);
    }
  }
}

/** The response of `/api/usage` for a key. */
async function usageOf(key: string) {
  const { body } = await ask(service.url, { path: '/api/usage', headers: { 'X-API-Key': key } });
  return JSON.parse(body) as UsageDocument & { readonly breakdown: UsageBreakdown };
}
/** Asks again while an image is still being made, as the service says one may. */
const loadMade = (path: string, key: string) =>
  readUntil(
    () => ask(service.url, { path, headers: { 'X-API-Key': key } }),
    ({ status }) => ![502, 503].includes(status),
    { withinMs: 15_000, pauseMs: 250 },
  );

test('40 mixed requests at a time cost what a model of the rules predicts', () =>
  withinOneHour(async () => {
    const [small, large] = await Promise.all([open('pro'), openLarge()]);
    const random = createRandom();
    // The bases, so that their variations are free; each costs one unit.
    for (let i = 0; i < 3; i++) {
      const path = `/api/image?query=drawn+${i}&width=320&height=200&provider=ai`;
      const answer = await loadMade(path, large.key);
      countByKey(large, large.keyId, answer);
      const varied = await loadMade(`${path}&variation=1`, large.key);
      countByKey(large, large.keyId, varied, true);
    }
    let wanted = requests;
    const worker = async () => {
      while (wanted-- > 0) await askOne(small, large, random);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));

    for (const account of [small, large]) {
      const keys = [...account.paid.values()].reduce((sum, units) => sum + units, 0);
      const units = keys + account.shown.size;
      const reportNow = () => usageOf(account.key);
      // A count that was not written within 150 ms is written after the answer.
      const report = await readUntil(reportNow, ({ breakdown }) => breakdown.requests === units, {
        withinMs: 10_000,
        pauseMs: 2_500,
      });
      const { used, limit, remaining, breakdown } = report;
      expect([used - account.spent, limit - remaining, breakdown.requests]).toEqual([units, used, units]);
      expect(breakdown.free).toBe(account.free);
      for (const [code, count] of account.refused)
        expect([code, breakdown.refused[code]]).toEqual([code, count]);
      // Each header names what was left when its unit was taken: no number twice.
      expect(new Set(account.remaining).size).toBe(account.remaining.length);
      expect(Math.min(...account.remaining)).toBeGreaterThanOrEqual(remaining);
      // Where a request was refused for want of units, none is left.
      expect([account.isUsedUp, remaining > 0]).toEqual([account.isUsedUp, !account.isUsedUp]);
      for (const { keyId, requests: paid } of breakdown.byKey ?? [])
        if (account.paid.has(keyId)) expect([keyId, paid]).toEqual([keyId, account.paid.get(keyId)]);
    }
    expect(small.isUsedUp).toBe(true);
    expect(large.paid.get(large.capped.keyId)).toBe(capOfKey);
    const { breakdown } = await usageOf(large.key);
    const paidBy = (id: string) => breakdown.byKey?.find(({ keyId }) => keyId === id)?.requests ?? 0;
    expect(paidBy(large.siteKeyId)).toBe(capOfSite);
    expect(paidBy(large.siteKeyId) + paidBy(large.signerId)).toBe(large.shown.size);
  }));
