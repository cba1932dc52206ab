/** `image-redirect keys`: it issues and manages API keys, signers, site keys and accounts. */

import { Argument, type Command, Option } from 'commander';
import { planNames } from '../../lambda/contract/plans';
import { keyBounds } from '../../lambda/contract/request-bounds';
import { createTextParser } from '../command';
import { createUsageFailure } from '../failure';
import { createCommandGroup, type ServiceCommand } from '../service-command';
import { changeAccount, deleteAccount } from './accounts';
import * as credentials from './credentials';
import { apiKey, type CredentialKind, signer, siteKey } from './kinds';
import { showUsage } from './usage';

function listCommands(kind: CredentialKind): readonly ServiceCommand[] {
  const { commands, noun } = kind;
  const id = new Argument(`<${noun.replace(' ', '_').toUpperCase()}_ID>`, `id of the ${noun}`);
  return [
    {
      name: 'create',
      summary: kind.createSummary,
      examples: kind.examples,
      options: [
        new Option('--name <TEXT>', `what the ${noun} is for`)
          .argParser(createTextParser('--name', keyBounds.nameCharactersMax))
          .default('unnamed'),
        new Option('--test', `create a test ${noun}: an hourly limit of its own, no quota used`),
        ...kind.options,
      ],
      run: (session) => credentials.createCredential(kind, session),
    },
    {
      name: 'list',
      summary: `List all ${noun}s, by account and age.`,
      options: [new Option('--account <ID>', `only the ${noun}s of this account`)],
      run: (session) => credentials.listCredentials(kind, session),
    },
    {
      name: 'show',
      summary: `Show one ${noun} without its secret, which is not stored.`,
      arguments: [id],
      run: (session) => credentials.showCredential(kind, session),
    },
    {
      name: 'rotate',
      summary: `Create a successor of a ${noun}; the old one works until the overlap ends.`,
      details: `With an overlap of 0: ${kind.ending}`,
      examples: [`${commands} rotate ${kind.exampleId} --overlap 7d --json`],
      arguments: [id],
      options: [
        new Option('--overlap <TIME>', 'how long both work, such as 30m, 24h, 30d or 0')
          .argParser(parseDuration)
          .default(parseDuration(kind.defaultOverlap), kind.defaultOverlap),
      ],
      confirms: true,
      run: (session) => credentials.rotateCredential(kind, session),
    },
    {
      name: 'revoke',
      summary: `Revoke a ${noun} for good. ${kind.ending}`,
      arguments: [id],
      confirms: true,
      run: (session) => credentials.revokeCredential(kind, session),
    },
  ];
}

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a length of time such as `90s`, `30m`, `24h` or `7d`. Returns milliseconds. */
function parseDuration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd])$|^0$/.exec(text) ?? [];
  const ms = text === '0' ? 0 : Number(digits) * unitsMs[unit as keyof typeof unitsMs];
  if (ms <= 365 * unitsMs.d) return ms;
  throw createUsageFailure(
    `--overlap takes a number with its unit, such as 90s, 30m, 24h or 7d, at most 365d, not "${text}".`,
  );
}

const account = new Argument('<ACCOUNT>', 'id of the account');

const accountCommands: readonly ServiceCommand[] = [
  {
    name: 'set-plan',
    summary: 'Put an account on a plan. The limit changes within a minute; what was used stays counted.',
    arguments: [account, new Argument('<PLAN>', 'the new plan').choices(planNames)],
    run: (session) => changeAccount(session, 'plan'),
  },
  {
    name: 'set-name',
    summary: 'Name an account. The name is shown in tables, usage reports and threshold events.',
    arguments: [account, new Argument('<NAME>', 'its name').argParser(createTextParser('<NAME>'))],
    run: (session) => changeAccount(session, 'accountName'),
  },
  {
    name: 'usage',
    summary: 'Show what an account has used, exact to the request.',
    arguments: [account],
    options: [new Option('--test', 'show the current hour of its test keys instead')],
    run: showUsage,
  },
  {
    name: 'delete-account',
    summary: 'Remove an account for good: its credentials, its usage, and its AI images with their files.',
    details:
      'It takes a minute. Run it again afterwards: functions know a key for a minute after it was removed, and what they make in that minute is removed by the second run.',
    arguments: [account],
    confirms: true,
    run: deleteAccount,
  },
];

/** Creates the command `keys`, with the groups `keys signer` and `keys site`. */
export function buildCommand(summary: string): Command {
  const createGroup = (kind: CredentialKind) =>
    createCommandGroup(kind.publishedAs ?? '', kind, listCommands(kind));
  const members = [...listCommands(apiKey), ...accountCommands, createGroup(signer), createGroup(siteKey)];
  return createCommandGroup('keys', { ...apiKey, summary }, members);
}
