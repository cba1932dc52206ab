/** The requests of a seed, with their callers and times. */

import { defaultPlans, type Plans, unlimitedRequests } from '../../lambda/contract/plans';
import type { AccountId } from '../../lambda/credentials/account-id';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/images/answer';
import type { AiRequest, StockRequest } from '../../lambda/requests/image-request';
import { accountId } from '../fakes/branded';
import type { Random } from './kernel';
import type { Setting } from './setting';

export interface ScriptedRequest {
  readonly requestId: string;
  /** Milliseconds after the request before it. */
  readonly afterMs: number;
  readonly account: AccountId;
  readonly kind: 'live' | 'test';
  readonly isAnonymous?: true;
  readonly request: AiRequest | StockRequest;
  /** Present when the request comes with a signer or a site key. */
  readonly publishedAs?: 'signer' | 'site';
  /** What its credential may spend in a month. */
  readonly maxPerMonth?: number;
  /** What is done instead of asking for one image. */
  readonly act?: 'batch' | 'permalink' | 'remove' | 'photograph';
  /** The images of a batch, each for a slot of the page. */
  readonly entries?: readonly (ScriptedRequest & { readonly slot: string })[];
  /** Of an image of a batch. */
  readonly slot?: string;
  /** How long the caller's request may take, in milliseconds. */
  readonly budgetMs: number;
  /** Which of the running instances answers. */
  readonly front: number;
}

/** The caller of a request that names a credential. */
export function callerOf(
  { kind, account, publishedAs, maxPerMonth }: ScriptedRequest,
  isDowngraded = false,
): KeyedCaller {
  return {
    kind,
    account,
    plan: isDowngraded ? 'free' : 'pro',
    keyId: `${account}-${kind}-${publishedAs ?? 'key'}`,
    ...(publishedAs && { publishedAs }),
    ...(maxPerMonth !== undefined && { maxPerMonth }),
    // Half of the visitors' browsers name no page.
    ...(publishedAs === 'site' && (maxPerMonth ?? 0) % 2 === 0 && { isUnproven: true as const }),
  };
}

/** The images that a request asks for, each as a request of its own. */
export function imagesOf(scripted: ScriptedRequest): readonly ScriptedRequest[] {
  const { act, entries } = scripted;
  return entries ?? (act === undefined || act === 'permalink' ? [scripted] : []);
}

/** What became of a request: an answer, a fault, or nothing because its instance died. */
export interface Outcome {
  readonly scripted: ScriptedRequest;
  readonly answer?: Answer;
  /** Whether the image stood behind its URL when that was given out. */
  readonly isThere?: boolean;
  readonly error?: unknown;
}

/** A request that came with a signer. */
export interface SignedView {
  readonly scripted: ScriptedRequest;
  /** The mark that its image is paid by. */
  readonly markKey: string;
  /** Whether it was paid when the request came. */
  readonly wasPaid: boolean;
}

/** Words that the generator refuses. */
export const refusedWords: ReadonlySet<string> = new Set(['refused']);

const fronts = 2;
export const accounts = ['ann', 'bob'].map(accountId);

/** The plans of a history: small ones, of which accounts may be moved from the better to the lesser. */
export function plansOf({ limit, cap, isUnlimited }: Setting): Plans {
  const monthlyRequests = isUnlimited ? unlimitedRequests : limit + 2;
  return {
    ...defaultPlans,
    free: { ...defaultPlans.free, monthlyRequests: limit, generationsAtOnce: cap },
    pro: { ...defaultPlans.pro, monthlyRequests, generationsAtOnce: cap + 1 },
  };
}

export function scriptOf(
  random: Random,
  { requests, gapMaxMs, words, variationRate }: Setting,
): readonly ScriptedRequest[] {
  const busiest = random.pick(accounts);
  return Array.from({ length: requests }, (_, i) => ({
    requestId: `r${i}`,
    afterMs: random.chance(0.3) ? 0 : random.between(0, gapMaxMs),
    account: random.chance(0.7) ? busiest : random.pick(accounts),
    kind: random.chance(0.8) ? 'live' : 'test',
    request: random.chance(0.2) ? stockRequest : aiRequest(random, words, variationRate),
    budgetMs: random.between(4_150, 7_500),
    front: random.between(0, fronts - 1),
  }));
}

/** Gives some of the requests a signer and other shapes: one image at every size. */
export function withSigners(
  script: readonly ScriptedRequest[],
  random: Random,
  { signedRate, losses }: Setting,
): readonly ScriptedRequest[] {
  return script.map((scripted) => {
    const isSigned = random.chance(signedRate);
    if (!isSigned && losses === 0) return scripted;
    // A master that is lost is missed when a rendition is made.
    const heightPx = losses === 0 ? random.pick([100, 100, 300]) : random.between(100, 900);
    if (!isSigned) return { ...scripted, request: { ...scripted.request, heightPx } };
    return { ...scripted, publishedAs: 'signer', request: { ...scripted.request, heightPx } };
  });
}

/** Makes some of the requests of another kind: whose they are, what they ask for, and what they do. */
export function withVariety(
  script: readonly ScriptedRequest[],
  random: Random,
  { varietyRate }: Setting,
): readonly ScriptedRequest[] {
  return script.map((scripted) => {
    if (!random.chance(varietyRate)) return scripted;
    const { publishedAs: _, ...plain } = scripted;
    return random.pick(varieties)(plain, random);
  });
}

const varieties: readonly ((plain: ScriptedRequest, random: Random) => ScriptedRequest)[] = [
  (plain, random) => ({ ...plain, kind: 'live', isAnonymous: true, request: anyStock(random) }),
  (plain, random) => ({
    ...plain,
    kind: 'live',
    publishedAs: 'site',
    maxPerMonth: random.between(1, 20),
    request: anyStock(random),
  }),
  (plain, random) => ({ ...plain, publishedAs: 'signer', maxPerMonth: random.between(1, 3) }),
  (plain, random) => ({ ...plain, request: anyStock(random) }),
  (plain, random) => ({ ...plain, request: { ...anyStock(random), filters: { onmiss: 'ai' } } }),
  (plain) => ({ ...plain, act: 'permalink' }),
  anyBatch,
  anyBatch,
  (plain, random) => (random.chance(0.5) ? { ...plain, act: 'remove' } : plain),
  (plain, random) => ({ ...plain, request: anyStock(random), act: 'photograph' }),
];

function anyBatch(plain: ScriptedRequest, random: Random): ScriptedRequest {
  const slots = ['a', 'b', 'c', 'd'].filter(() => random.chance(0.6));
  const entries = slots.map((slot, index) => ({
    ...plain,
    slot,
    requestId: `${plain.requestId}.${index}`,
    request: random.chance(0.3) ? plain.request : anyStock(random),
  }));
  return { ...plain, act: 'batch', entries };
}

/** A request for one of few images, or for one that no provider has. */
function anyStock(random: Random): StockRequest {
  return {
    ...stockRequest,
    query: random.pick(['lake', 'lake', 'hill', 'nothing']),
    heightPx: random.pick([100, 100, 300]),
    seed: random.pick(['', '', '2']),
    asJson: random.chance(0.3),
  };
}

const size = { widthPx: 100, heightPx: 100, asJson: false };
const stockRequest: StockRequest = { ...size, provider: 'stock_a', query: 'lake', seed: '', filters: {} };

function aiRequest(random: Random, words: number, variationRate: number): AiRequest {
  const particular = random.next();
  return {
    ...size,
    provider: 'ai',
    query: random.chance(0.08) ? 'refused' : `sea ${random.between(1, words)}`,
    style: 'photo',
    visibility: random.chance(0.5) ? 'private' : 'public',
    ...(particular < variationRate ? { variation: random.between(1, 2) } : {}),
    ...(particular > 0.8 ? { alt: random.between(1, 2) } : {}),
  };
}
