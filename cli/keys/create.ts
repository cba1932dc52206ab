/** `create` of API keys, signers and site keys. */

import { type Command, Option } from 'commander';
import { type PlanName, planNames } from '../../lambda/contract/plans';
import { issueKey, issueSigner, issueSiteKey } from '../../lambda/credentials/manage-keys';
import { allowedOriginOf } from '../../lambda/credentials/site-key';
import { createCommand } from '../command';
import { wrongUsage } from '../failure';
import { readMaxPerMonth, readName } from '../option-values';
import { accountOf } from './find-keys';
import { apiKey, readSecrets, showIssued, signer, siteKey } from './kinds';
import { withSession } from './session';

/** Origins that one site key may have. */
const originsMax = 20;

interface CreateOptions {
  readonly name: string;
  readonly test?: boolean;
}

/** Adds the options that all three take. */
const withNameAndMode = (command: Command, noun: string) =>
  command
    .option('--name <TEXT>', `what the ${noun} is for`, readName('--name'), 'unnamed')
    .option('--test', `create a test ${noun}: an hourly limit of its own, no quota used`);

const modeOf = ({ test }: CreateOptions) => (test ? 'test' : 'live');

interface CreateKeyOptions extends CreateOptions {
  readonly plan?: PlanName;
  readonly account?: string;
  readonly accountName?: string;
  readonly role?: 'owner' | 'member';
  readonly maxPerMonth?: number;
}

/** Makes a key, of a new account or one more of an existing one. */
export const createKey = (): Command =>
  withNameAndMode(
    createCommand('create', {
      summary: 'Create a key. It is shown once.',
      examples: [
        'keys create --plan pro --account-name "Acme" --name "web shop"',
        'keys create --account acc_0123456789abcdef01 --test --name "web shop"',
        'keys create --plan free --name ci --json',
        'keys create --account acc_0123456789abcdef01 --max-per-month 5000',
      ],
    })
      .addOption(new Option('--plan <PLAN>', 'plan of a new account (default: free)').choices(planNames))
      .option('--account-name <TEXT>', 'name of a new account', readName('--account-name'))
      .option('--account <ID>', 'add the key to this account, on its plan')
      .addOption(
        new Option(
          '--role <ROLE>',
          'an owner manages the keys of its account; the first live key is one',
        ).choices(['owner', 'member']),
      )
      .option(
        '--max-per-month <N>',
        'requests that this key may spend in a month, beside its plan',
        readMaxPerMonth,
      ),
    'key',
  ).action((options: CreateKeyOptions, command: Command) =>
    withSession(command, async (session) => {
      const { account, accountName, name, plan, role, maxPerMonth } = options;
      if (role === 'owner' && options.test) throw wrongUsage('A test key owns no account.');
      const existing = account === undefined ? undefined : await accountOf(session.services, account);
      if (existing && accountName !== undefined && accountName !== existing.accountName)
        throw wrongUsage('The account exists already. "keys set-name" names it on all its keys.');
      if (existing && plan !== undefined && plan !== existing.plan)
        throw wrongUsage(
          `The account is on plan ${existing.plan}. "keys set-plan" changes it for all its keys.`,
        );
      const issued = await issueKey(session.services, {
        mode: modeOf(options),
        plan: existing?.plan ?? plan ?? 'free',
        name,
        ...(existing && { account: existing.account }),
        ...(accountName !== undefined && { accountName }),
        ...(role !== undefined && { role }),
        ...(maxPerMonth !== undefined && { maxPerMonth }),
      });
      const { signer: made } = issued;
      showIssued(session, apiKey, issued, {
        json: { ...(made && { signerId: made.keyId }) },
        lines: made ? [[signer.id.title, made.keyId]] : [],
      });
    }),
  );

interface CreateSignerOptions extends CreateOptions {
  readonly account: string;
}

/** Makes a signer of an account. */
export const createSigner = (): Command =>
  withNameAndMode(
    createCommand('create', {
      summary: 'Create a signer of an account. Its secret is shown once.',
      examples: [
        'keys signer create --account acc_0123456789abcdef01 --name "web shop"',
        'keys signer create --account acc_0123456789abcdef01 --test --json',
      ],
    }).requiredOption('--account <ID>', 'the account that pays, once per image and day'),
    'signer',
  ).action((options: CreateSignerOptions, command: Command) =>
    withSession(command, async (session) => {
      const { account, plan } = await accountOf(session.services, options.account);
      const order = { mode: modeOf(options), name: options.name, account, plan } as const;
      const withSecret = await readSecrets(session);
      showIssued(session, signer, withSecret(await issueSigner(session.services, order)));
    }),
  );

interface CreateSiteKeyOptions extends CreateOptions {
  readonly account: string;
  readonly origin: readonly string[];
  readonly maxPerMonth: number;
}

/** Makes a site key of an account, for the pages of its origins. */
export const createSiteKey = (): Command =>
  withNameAndMode(
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
        (text, before: readonly string[] | undefined) => [...(before ?? []), text],
      )
      .requiredOption(
        '--max-per-month <N>',
        'images that the site key may spend in a month',
        readMaxPerMonth,
      ),
    'site key',
  ).action((options: CreateSiteKeyOptions, command: Command) =>
    withSession(command, async (session) => {
      const { name, maxPerMonth } = options;
      const mode = modeOf(options);
      const origins = readOrigins(options.origin, mode);
      const { account, plan } = await accountOf(session.services, options.account);
      const order = { mode, plan, name, account, origins, maxPerMonth } as const;
      showIssued(session, siteKey, await issueSiteKey(session.services, order));
    }),
  );

/** Each origin once. @throws `Failure` with the usage code */
function readOrigins(texts: readonly string[], mode: 'live' | 'test') {
  if (texts.length > originsMax) throw wrongUsage(`--origin can be given at most ${originsMax} times.`);
  const origins = texts.map((text) => {
    const origin = allowedOriginOf(text, mode);
    if (typeof origin === 'string') return origin;
    throw wrongUsage(
      `--origin "${text}" ${origin.fault}. It takes origins such as https://example.com, https://*.example.com and http://localhost:3000, and with --test http://localhost:*.`,
    );
  });
  return [...new Set(origins)];
}
