/** `keys site create`: makes a site key of an account, for the pages of its origins. */

import type { Command } from 'commander';
import type { KeyRecord } from '../../../../lambda/credentials/api-keys';
import { allowedOriginOf } from '../../../../lambda/credentials/site-key';
import { createCommand } from '../../../command';
import { wrongUsage } from '../../../failure';
import { keysOfAccount } from '../../find-keys';
import { readMaxPerMonth } from '../../max-per-month';
import { readName } from '../../read-name';
import { withSession } from '../../session';
import { showSiteKey } from './show-site-key';

/** Origins that one site key may have. */
const originsMax = 20;

interface CreateOptions {
  readonly account: string;
  readonly origin: readonly string[];
  readonly maxPerMonth: number;
  readonly name: string;
  readonly test?: boolean;
}

export const createSiteKey = (): Command =>
  createCommand('create', {
    summary: 'Create a site key of an account. It is shown once.',
    examples: [
      'keys site create --account acc_0123456789abcdef01 --origin https://example.com --max-per-month 1000',
      'keys site create --account acc_0123456789abcdef01 --origin https://example.com --origin "https://*.example.com" --max-per-month 1000 --name blog',
      'keys site create --account acc_0123456789abcdef01 --test --origin "http://localhost:*" --max-per-month 100',
    ],
  })
    .requiredOption('--account <ID>', 'the account that pays, once per image and day')
    .requiredOption(
      '--origin <ORIGIN>',
      'origin of its pages; may be given several times',
      (text, before) => [...((before as readonly string[] | undefined) ?? []), text],
    )
    .requiredOption('--max-per-month <N>', 'images that the site key may spend in a month', readMaxPerMonth)
    .option('--name <TEXT>', 'what the site key is for', (text) => readName('--name', text), 'unnamed')
    .option('--test', 'create a test site key: an hourly limit of its own, no quota used')
    .action(({ account, origin, maxPerMonth, name, test }: CreateOptions, command: Command) =>
      withSession(command, async ({ keys, output }) => {
        const mode = test ? 'test' : 'live';
        const origins = readOrigins(origin, mode);
        const { plan, account: known } = (await keysOfAccount(keys, account)).at(-1) as KeyRecord;
        const order = { mode, plan, name, account: known, origins, maxPerMonth } as const;
        showSiteKey(output, await keys.issueSiteKey(order));
      }),
    );

/** @throws `Failure` with the usage code */
function readOrigins(texts: readonly string[], mode: 'live' | 'test') {
  if (texts.length > originsMax) throw wrongUsage(`--origin can be given at most ${originsMax} times.`);
  const origins = texts.map((text) => {
    const origin = allowedOriginOf(text, mode);
    if (origin !== undefined) return origin;
    throw wrongUsage(
      `--origin takes https://example.com, https://*.example.com, or with --test http://localhost:*, not "${text}".`,
    );
  });
  return [...new Set(origins)];
}
