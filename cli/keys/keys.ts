/** `image-redirect keys`: the table of the operator's commands for keys, signers, site keys and accounts. */

import type { Command } from 'commander';
import { planNames } from '../../lambda/contract/plans';
import { wrongUsage } from '../failure';
import { readDuration, readMaxPerMonth, readText } from '../option-values';
import { argument, group, option, type ServiceCommand } from '../service-command';
import { apiKey, type CredentialKind, signer, siteKey } from './kinds';

// What the commands do is loaded where they are called, so that help and refusals are quick.
const credentials = () => import('./credentials');
const accounts = () => import('./accounts');

const account = 'acc_0123456789abcdef01';
const accountArgument = argument('<ACCOUNT>', 'id of the account');
const maxPerMonth = (isRequired: boolean) =>
  option('--max-per-month <N>', 'units that it may spend in a month, beside the plan', {
    read: readMaxPerMonth,
    isRequired,
  });

/** What `create` takes of each kind, and its examples. */
const creation = {
  key: {
    options: [
      option('--plan <PLAN>', 'plan of a new account (default: free)', { choices: planNames }),
      option('--account-name <TEXT>', 'name of a new account', { read: readText('--account-name') }),
      option('--account <ID>', 'add the key to this account, on its plan'),
      option('--role <ROLE>', 'an owner manages the keys of its account; the first live key is one', {
        choices: ['owner', 'member'],
      }),
      maxPerMonth(false),
    ],
    examples: [
      'keys create --plan pro --account-name "Acme" --name "web shop"',
      `keys create --account ${account} --test --name "web shop"`,
      'keys create --plan free --name ci --json | jq -r .key',
      `keys create --account ${account} --max-per-month 5000`,
    ],
  },
  signer: {
    options: [
      option('--account <ID>', 'the account that pays, once per image and day', { isRequired: true }),
    ],
    examples: [`keys signer create --account ${account} --name "web shop"`],
  },
  site: {
    options: [
      option('--account <ID>', 'the account that pays, once per image and day', { isRequired: true }),
      option('--origin <ORIGIN>', 'origin of its pages; may be given several times', {
        read: (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
        isRequired: true,
      }),
      maxPerMonth(true),
    ],
    examples: [
      `keys site create --account ${account} --origin https://example.com --origin "https://*.example.com" --max-per-month 1000`,
      `keys site create --account ${account} --test --origin "http://localhost:*" --max-per-month 100`,
    ],
  },
} as const;

/** `create`, `list`, `show`, `rotate` and `revoke` of one kind. */
function commandsFor(kind: CredentialKind): readonly ServiceCommand[] {
  const { noun, commands, example, overlap, end, successor } = kind;
  const id = argument(`<${noun.replace(' ', '_').toUpperCase()}_ID>`, `id of the ${noun}`, readId);
  const { options, examples } = creation[kind.kind];
  return [
    {
      name: 'create',
      summary: `Create a ${noun}${noun === 'key' ? '' : ' of an account'}. ${noun === 'signer' ? 'Its secret' : 'It'} is shown once.`,
      examples,
      options: [
        option('--name <TEXT>', `what the ${noun} is for`, { read: readText('--name'), preset: 'unnamed' }),
        option('--test', `create a test ${noun}: an hourly limit of its own, no quota used`),
        ...options,
      ],
      run: async (session, options) => (await credentials()).create(kind, session, options),
    },
    {
      name: 'list',
      summary: `List all ${noun}s, by account and age.`,
      examples: [`${commands} list`, `${commands} list --account ${account} --json`],
      options: [option('--account <ID>', `only the ${noun}s of this account`)],
      run: async (session, options) => (await credentials()).list(kind, session, options),
    },
    {
      name: 'show',
      summary: `Show one ${noun}, without what is secret: that is not stored.`,
      examples: [`${commands} show ${example}`],
      arguments: [id],
      run: async (...given) => (await credentials()).show(kind, ...given),
    },
    {
      name: 'rotate',
      summary: `Create a successor of a ${noun}; the old one works until the overlap ends.`,
      details: `With an overlap of 0: ${end}${successor ? ` ${successor}` : ''}`,
      examples: [`${commands} rotate ${example}`, `${commands} rotate ${example} --overlap 7d --json`],
      arguments: [id],
      options: [
        option('--overlap <TIME>', 'how long both work, such as 30m, 24h, 30d or 0', {
          read: readDuration('--overlap'),
          preset: readDuration('--overlap')(overlap),
          presetWords: overlap,
        }),
      ],
      confirms: true,
      run: async (...given) => (await credentials()).rotate(kind, ...given),
    },
    {
      name: 'revoke',
      summary: `Revoke a ${noun} for good. ${end}`,
      examples: [`${commands} revoke ${example}`, `${commands} revoke ${example} --yes --json`],
      arguments: [id],
      confirms: true,
      run: async (...given) => (await credentials()).revoke(kind, ...given),
    },
  ];
}

/** Reads the id of one; what is secret belongs on no command line, and is not repeated in the refusal. */
function readId(text: string): string {
  const secret = { pk_: apiKey, sgs_: signer, site_live_: siteKey, site_test_: siteKey };
  for (const [prefix, { noun, commands }] of Object.entries(secret))
    if (text.startsWith(prefix))
      throw wrongUsage(
        `That is the secret of a ${noun}, not its id. Secrets do not belong on a command line: "${commands} list" shows the ids.`,
      );
  return text;
}

const accountCommands: readonly ServiceCommand[] = [
  {
    name: 'set-plan',
    summary: 'Put an account on a plan. The limit changes within a minute; what was used stays counted.',
    examples: [`keys set-plan ${account} business`],
    arguments: [accountArgument, argument('<PLAN>', 'the new plan').choices(planNames)],
    run: async (...given) => (await accounts()).setPlan(...given),
  },
  {
    name: 'set-name',
    summary: 'Name an account. The name is shown in tables, usage reports and threshold events.',
    examples: [`keys set-name ${account} "Acme"`],
    arguments: [accountArgument, argument('<NAME>', 'its name', readText('<NAME>'))],
    run: async (...given) => (await accounts()).setName(...given),
  },
  {
    name: 'usage',
    summary: 'Show what an account has used, exact to the request.',
    examples: [`keys usage ${account}`, `keys usage ${account} --test --json`],
    arguments: [accountArgument],
    options: [option('--test', 'show the current hour of its test keys instead')],
    run: async (...given) => (await accounts()).usage(...given),
  },
  {
    name: 'delete-account',
    summary: 'Remove an account for good: its credentials, its usage, and its AI images with their files.',
    details:
      'Takes a minute. Functions know a key for a minute after it is removed, so run the command again after that: it then removes what was made meanwhile.',
    examples: [`keys delete-account ${account} --yes --json --stack ImageRedirect-prod`],
    arguments: [accountArgument],
    confirms: true,
    run: async (...given) => (await accounts()).deleteAccount(...given),
  },
];

/** The command `keys`, with the groups `keys signer` and `keys site`. */
export const keys = (): Command =>
  group(
    'keys',
    {
      summary:
        'Issue and manage API keys, signers, site keys and accounts, of a local service or of a deployed stack.',
      examples: [
        'keys create --plan pro --account-name "Acme" --name "web shop"',
        `keys usage ${account} --stack ImageRedirect-prod`,
      ],
      more: `Exit codes:
  0 done · 1 failed · 2 wrong usage · 3 no such key, account or stack
  4 not confirmed · 5 service or AWS not reachable`,
    },
    [
      ...commandsFor(apiKey),
      ...accountCommands,
      group(
        'signer',
        {
          summary: 'Issue and manage signers: their secret signs URLs on a server or in a build step.',
          examples: [`keys signer create --account ${account} --name "web shop"`, 'keys signer list --json'],
        },
        commandsFor(signer),
      ),
      group(
        'site',
        {
          summary: 'Issue and manage site keys: publishable, bound to origins and to a monthly cap.',
          examples: [
            `keys site create --account ${account} --origin https://example.com --max-per-month 1000`,
            'keys site list --json',
          ],
        },
        commandsFor(siteKey),
      ),
    ],
  );
