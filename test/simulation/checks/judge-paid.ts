/** The promises of what a signer shows: charged once a day at most, never for nothing, and shown though the quota is used up. */

import { generationIdentity } from '../../../lambda/generation/generation-identity';
import { callerOf, type ScriptedRequest, type SignedView } from '../history';
import type { Evidence } from './evidence';
import { unitsOf } from './receipts';

export function judgePaid(evidence: Evidence): readonly string[] {
  const markKeys = new Set(evidence.views.map(({ markKey }) => markKey));
  const viewsOf = (key: string) => evidence.views.filter(({ markKey }) => markKey === key);
  return [
    ...evidence.views.flatMap((view) => judgeView(view, evidence)),
    ...[...markKeys].flatMap((markKey) => judgeMark(markKey, viewsOf(markKey), evidence)),
  ];
}

/** An image that is paid is never refused for a quota. */
function judgeView({ scripted, wasPaid }: SignedView, { outcomes, receipts }: Evidence): string[] {
  const { requestId } = scripted;
  const wrong: string[] = [];
  const outcome = outcomes.find((each) => each.scripted === scripted);
  const answer = outcome?.answer;
  // A throttled counter refuses for a second, like any outage; only a window that is used up has a rate limit status.
  const isForQuota = answer?.outcome === 'refused' && 'rateLimit' in answer.refusal;
  if (wasPaid && isForQuota) wrong.push(`paid: ${requestId} was refused what is paid`);
  const { charge, delivery } = receipts.of(requestId);
  if (wasPaid && (charge !== 'none' || delivery !== 'none'))
    wrong.push(`paid: ${requestId} paid for what is paid`);
  return wrong;
}

/** All requests of one mark together have cost one unit at most, whatever was lost, late or crashed. */
function judgeMark(markKey: string, views: readonly SignedView[], evidence: Evidence): string[] {
  const { receipts, world, outcomes } = evidence;
  const all = views.map(({ scripted }) => receipts.of(scripted.requestId));
  const most = sum(all.map((receipt) => unitsOf(receipt)[1]));
  const claims = all.filter(({ delivery }) => delivery === 'taken' || delivery === 'open').length;
  const wrong: string[] = [];
  if (most + claims > 1) wrong.push(`once: ${markKey} may have cost ${most + claims} units`);
  const made = executionsFor(markKey, views, evidence);
  if (made !== undefined && most + made > 1)
    wrong.push(`once: ${markKey} has cost ${made} generations and may have cost ${most} units`);
  if (!world.setting.isCalm) return wrong;
  const least = sum(all.map((receipt) => unitsOf(receipt)[0]));
  const answers = views.flatMap(
    ({ scripted }) => outcomes.find((each) => each.scripted === scripted)?.answer ?? [],
  );
  const isOwed = answers.some((answer) => answer.outcome === 'refused' && answer.isOwed);
  const isShown = answers.some(({ outcome }) => outcome === 'served');
  const mayBeFree = views.some(
    ({ scripted: { request } }) =>
      request.provider === 'ai' && (request.variation !== undefined || request.alt !== undefined),
  );
  if (isShown && !isOwed && !mayBeFree && least + claims !== 1)
    wrong.push(`calm: ${markKey} was shown for ${least + claims} units`);
  return wrong;
}

/**
 * The charged executions that made what the requests of a mark show; `undefined` where other requests may have begun
 * them too.
 */
function executionsFor(
  markKey: string,
  views: readonly SignedView[],
  { script, views: allViews, ledger, engine }: Evidence,
): number | undefined {
  const own = new Set(views.flatMap(({ scripted }) => keysOf(scripted)));
  const signed = new Map(allViews.map((view) => [view.scripted, view.markKey]));
  const others = script.filter((scripted) => signed.get(scripted) !== markKey);
  if (own.size === 0 || others.some((scripted) => keysOf(scripted).some((key) => own.has(key))))
    return undefined;
  const paths = [...engine.items('generationIndex')].filter(([pk]) => own.has(pk));
  const finished = new Set([...ledger.finished].filter(([, key]) => own.has(key)).map(([id]) => id));
  for (const [, item] of paths) finished.add(String(item['ex']));
  return [...finished].filter((id) => {
    const operation = ledger.operations.get(id);
    return operation?.state === 'C' && operation.cost > 0;
  }).length;
}

const keys = new WeakMap<ScriptedRequest, readonly string[]>();

/** What a request has generated: the key of its image, or nothing. Hashed once, as every mark asks for those of all requests. */
function keysOf(scripted: ScriptedRequest): readonly string[] {
  const known = keys.get(scripted);
  if (known) return known;
  const { request } = scripted;
  const made =
    request.provider === 'ai' ? [generationIdentity(request, callerOf(scripted), undefined).key] : [];
  keys.set(scripted, made);
  return made;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
