/** `image-redirect providers`: the operator's look at the stock providers. */

import type { Command } from 'commander';
import { exitCodes } from '../failure';
import { serviceCommand } from '../service-command';

/** The command `providers`; it ends with 1 where a slot cannot serve. */
export const providers = (): Command =>
  serviceCommand({
    name: 'providers',
    summary: 'Show which provider answers for each stock slot, and whether it can.',
    details:
      'Checks the key and the remaining budget of each provider. Each provider is sent one small request, which counts in its budget.',
    examples: [
      'providers',
      'providers --stack ImageRedirect-prod --profile ops',
      "providers --json | jq '.slots[] | select(.serves | not)'",
    ],
    more: `Exit codes:
  0 every slot can serve · 1 failed, or some slot cannot serve now · 2 wrong usage
  3 no such stack · 5 service or AWS not reachable`,
    async run({ service }) {
      // The SDK is loaded by what needs it only, so that help and refusals are quick.
      const { inspectSlots } = await import('./inspect');
      const { adviceFor, describe } = await import('./report');
      const { slots, secretId } = await inspectSlots(service);
      const advice = slots.flatMap((view) =>
        adviceFor(view, service.howToSetKey(view.provider, secretId)).map(
          (words) => `${view.slot}: ${words}`,
        ),
      );
      return {
        json: { service: service.name, at: new Date().toISOString(), slots },
        text: (columns) => `Stock providers of ${service.name}\n\n${describe(slots, columns)}`,
        ...(advice.length > 0 && { note: `\n${advice.join('\n')}` }),
        ...(slots.some(({ serves }) => !serves) && { exitCode: exitCodes.failed }),
      };
    },
  });
