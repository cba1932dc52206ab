/** What people read of the stock slots: a table, and what can be done about a slot that cannot serve. */

import { isLoopbackHost } from '../../lambda/images/allowed-url';
import type { FailureKind } from '../../lambda/stock/stock-provider';
import { table } from '../output';
import type { Check, ProviderView, SlotView, WindowView } from './inspect';

/** All slots in a table. @param columns width of the terminal */
export function describe(slots: readonly SlotView[], columns: number): string {
  const rows = slots.map((view) => [
    view.slot,
    providerWords(view),
    view.key.replace('-', ' '),
    checkWords(view.check),
    budgetWords(view.budget),
  ]);
  return table(['Slot', 'Provider', 'Key', 'Check', 'Left'], rows, columns);
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
  if (check.outcome === 'skipped') return 'not asked';
  if (check.outcome === 'works') return `works, ${check.tookMs} ms`;
  return `${kindWords[check.kind]}${check.retryAfterS ? ` for ${check.retryAfterS} s` : ''}`;
}

function budgetWords(windows: readonly WindowView[]): string {
  const words = windows.map(
    ({ window, left, limit }) => `${left} of ${limit} ${window === 'day' ? 'today' : `this ${window}`}`,
  );
  return words.join(', ') || 'no limit';
}

/** What the operator can do about a slot that cannot serve. @param howToSetKey how its provider's key is replaced */
export function adviceFor(
  { provider, key, check, budget }: SlotView,
  howToSetKey: string,
): readonly string[] {
  if (key === 'missing') return [`${provider} needs a key. ${howToSetKey}`];
  if (key === 'unreadable')
    return [`The secret that holds the key of ${provider} cannot be read. May you read it, and is it JSON?`];
  if (check.outcome === 'failed' && check.kind === 'unauthorized')
    return [
      key === 'set'
        ? `${provider} refuses its key. ${howToSetKey}`
        : `${provider} refuses requests from here. It may block this network, or want a contact: set CONTACT.`,
    ];
  const spent = budget.find(({ left }) => left === 0);
  if (!spent) return [];
  return [
    `The budget of ${provider} for the ${spent.window} is used up until ${spent.resetsAt}. If the provider allows more, say so in PROVIDER_QUOTAS.`,
  ];
}
