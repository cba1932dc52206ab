/** Prints what was found out: a table for people with advice below it, or JSON. */

import { isLoopbackHost } from '../../lambda/images/allowed-url';
import type { FailureKind } from '../../lambda/stock/stock-provider';
import { type Output, table } from '../output';
import type { Check, ProviderView, SlotView, WindowView } from './inspect';
import type { RelevanceView } from './measure-relevance';

/** What is seen of the answers to a few usual queries. */
const relevanceHead = ['Slot', 'Provider', 'Queries', 'Words covered by the first', 'Empty', 'Non-photos'];
const head = ['Slot', 'Provider', 'Key', 'Check', 'Left'];

/**
 * @param service its URL or its stack, for people
 * @param nowMs moment (epoch, milliseconds)
 * @param howToSetKey how an operator replaces a provider's key, in words
 */
export function report(
  output: Output,
  service: string,
  slots: readonly SlotView[],
  nowMs: number,
  howToSetKey: (provider: string) => string,
): void {
  output.result({ service, at: new Date(nowMs).toISOString(), slots }, (columns) => {
    const rows = slots.map((view) => [
      view.slot,
      providerWords(view),
      view.key.replace('-', ' '),
      checkWords(view.check),
      budgetWords(view.budget),
    ]);
    const overview = `Stock providers of ${service}\n\n${table(head, rows, columns)}`;
    const measured = slots.flatMap(({ slot, provider, relevance }) =>
      relevance ? [[slot, provider, ...relevanceWords(relevance)]] : [],
    );
    return measured.length === 0 ? overview : `${overview}\n\n${table(relevanceHead, measured, columns)}`;
  });
  const advice = slots.flatMap((view) =>
    adviceFor(view, howToSetKey).map((words) => `${view.slot}: ${words}`),
  );
  if (advice.length > 0) output.note(`\n${advice.join('\n')}`);
}

function relevanceWords({ asked, empty, nonPhotos, coverageAt1 }: RelevanceView): readonly string[] {
  const covered = coverageAt1 === null ? '–' : `${Math.round(coverageAt1 * 100)} %`;
  return [String(asked), covered, String(empty), String(nonPhotos)];
}

const kindWords: Readonly<Record<FailureKind, string>> = {
  unauthorized: 'refused',
  throttled: 'throttled',
  unavailable: 'no answer',
  malformed: 'unreadable answer',
  rejected: 'rejected',
};

function providerWords({ provider, endpoint }: ProviderView): string {
  if (endpoint === undefined) return provider;
  const { host, hostname } = new URL(endpoint);
  return `${provider} (${isLoopbackHost(hostname) ? 'fake provider' : `at ${host}`})`;
}

function checkWords(check: Check): string {
  switch (check.outcome) {
    case 'works':
      return `works, ${check.tookMs} ms`;
    case 'failed':
      return (
        kindWords[check.kind] + (check.retryAfterS ? ` for ${timeWords(check.retryAfterS * 1_000)}` : '')
      );
    case 'skipped':
      return check.reason === 'not-wanted' ? '–' : 'not asked';
  }
}

function budgetWords(windows: readonly WindowView[]): string {
  if (windows.length === 0) return 'no limit';
  return windows
    .map(({ window, left, limit }) => `${left} of ${limit} ${window === 'day' ? 'today' : `this ${window}`}`)
    .join(', ');
}

/** What the operator can do about a slot that cannot serve. */
function adviceFor(
  { provider, key, check, budget }: SlotView,
  howToSetKey: (provider: string) => string,
): readonly string[] {
  if (key === 'missing') return [`${provider} needs a key. ${howToSetKey(provider)}`];
  if (key === 'unreadable')
    return [`The secret that holds the key of ${provider} cannot be read. May you read it, and is it JSON?`];
  if (check.outcome === 'failed' && check.kind === 'unauthorized')
    return key === 'set'
      ? [`${provider} refuses its key. ${howToSetKey(provider)}`]
      : [
          `${provider} refuses requests from here. It may block this network, or want a contact: set CONTACT.`,
        ];
  const spent = budget.find(({ left }) => left === 0);
  if (spent)
    return [
      `The budget of ${provider} for the ${spent.window} is used up until ${spent.resetsAt}. If the provider allows more, say so in PROVIDER_QUOTAS.`,
    ];
  return [];
}

function timeWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
