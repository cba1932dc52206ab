/** `image-redirect providers`: it shows if the stock providers can serve, and what to do if not. */

import type { Command } from 'commander';
import { formatTable } from '../output';
import { createServiceCommand } from '../service-command';
import { inspectSlots, type SlotView } from './inspect';

/** Creates the command `providers`, which ends with 1 if a slot cannot serve. */
export const command = (summary: string): Command =>
  createServiceCommand({
    name: 'providers',
    summary,
    details:
      'Also if it can serve, by its key and its remaining budget. Each provider gets one small request, which counts in its budget.',
    examples: [
      'providers --stack ImageRedirect-prod',
      "providers --json | jq '.slots[] | select(.serves | not)'",
    ],
    async run({ service }) {
      const { slots, secretId } = await inspectSlots(service);
      const rows = slots.map((view) => {
        const provider = view.endpoint ? `${view.provider} (${new URL(view.endpoint).host})` : view.provider;
        const { slot, key } = view;
        const words = { check: describeCheck(view), left: describeBudget(view) };
        return { slot, provider, key: key.replace('-', ' '), ...words };
      });
      const advice = slots.flatMap((view) => {
        const words = adviseOn(view, service.howToSetKey(view.provider, secretId));
        return words === undefined ? [] : [`${view.slot}: ${words}`];
      });
      return {
        json: { service: service.name, at: new Date().toISOString(), slots },
        text: `Stock providers of ${service.name}\n\n${formatTable(rows)}`,
        note: advice.length > 0 ? `\n${advice.join('\n')}` : '',
        hasFailed: slots.some(({ serves }) => !serves),
      };
    },
  });

function describeCheck({ check }: SlotView): string {
  if (check.outcome === 'skipped') return 'not asked';
  if (check.outcome === 'works') return `works, ${check.tookMs} ms`;
  return `${check.kind}${check.retryAfterS ? ` for ${check.retryAfterS} s` : ''}`;
}

function describeBudget({ budget }: SlotView): string {
  const when = { minute: 'this minute', hour: 'this hour', day: 'today' } as const;
  const words = budget.map(({ window, left, limit }) => `${left} of ${limit} ${when[window]}`);
  return words.join(', ') || 'no limit';
}

/** Says what to do about a slot that cannot serve. @param howToSetKey the sentence about its key */
function adviseOn({ provider, key, check, budget }: SlotView, howToSetKey: string): string | undefined {
  const isRefused = check.outcome === 'failed' && check.kind === 'unauthorized';
  if (key === 'missing') return `${provider} needs a key. ${howToSetKey}`;
  if (key === 'unreadable') return `The secret with the key of ${provider} cannot be read, or is no JSON.`;
  if (isRefused && key === 'set') return `${provider} refuses its key. ${howToSetKey}`;
  if (isRefused) return `${provider} refuses this network, or needs a contact: site.contact or CONTACT.`;
  const usedUp = budget.find(({ left }) => left === 0);
  if (!usedUp) return undefined;
  return `The budget of ${provider} for the ${usedUp.window} is used up until ${usedUp.resetsAt}. If the provider allows more, say so in providerQuotas, locally PROVIDER_QUOTAS.`;
}
