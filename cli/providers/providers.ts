/** `image-redirect providers`: it shows which stock providers can serve, and what to do about the others. */

import type { Command } from 'commander';
import { formatTable } from '../output';
import { createServiceCommand } from '../service-command';
import { inspectSlots, type SlotView } from './inspect';

/** Creates the command `providers`, which ends with 1 if a slot cannot serve. */
export const buildCommand = (summary: string): Command =>
  createServiceCommand({
    name: 'providers',
    summary,
    details:
      'It also shows the key and the remaining budget of each provider. Each provider gets one small request, which counts in its budget.',
    examples: [
      'providers --stack ImageRedirect-prod',
      "providers --json | jq '.slots[] | select(.serves | not)'",
    ],
    async run({ service }) {
      const slots = await inspectSlots(service);
      const rows = slots.map((view) => {
        const provider = view.endpoint ? `${view.provider} (${new URL(view.endpoint).host})` : view.provider;
        const { slot, key } = view;
        const words = { check: describeCheck(view), left: describeBudget(view) };
        return { slot, provider, key: key.replace('-', ' '), ...words };
      });
      const adviceLines = slots.flatMap((view) => {
        const advice = findAdvice(view, service.explainKey(view.provider));
        return advice === undefined ? [] : [`${view.slot}: ${advice}`];
      });
      return {
        json: { service: service.name, at: new Date().toISOString(), slots },
        text: `Stock providers of ${service.name}\n\n${formatTable(rows)}`,
        remark: adviceLines.length > 0 ? `\n${adviceLines.join('\n')}` : '',
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

/** Finds the advice about a slot that cannot serve. @param keySentence says how to set the provider's key */
function findAdvice({ provider, key, check, budget }: SlotView, keySentence: string): string | undefined {
  const isRefused = check.outcome === 'failed' && check.kind === 'unauthorized';
  if (key === 'missing') return `${provider} needs a key. ${keySentence}`;
  if (key === 'unreadable') return `The secret with the key of ${provider} cannot be read, or is no JSON.`;
  if (isRefused && key === 'set') return `${provider} refuses its key. ${keySentence}`;
  if (isRefused) return `${provider} refuses this network, or needs a contact: site.contact or CONTACT.`;
  const emptyBudget = budget.find(({ left }) => left === 0);
  if (!emptyBudget) return undefined;
  return `The budget of ${provider} for the ${emptyBudget.window} is used up until ${emptyBudget.resetsAt}. If the provider allows more, say so in providerQuotas, locally PROVIDER_QUOTAS.`;
}
