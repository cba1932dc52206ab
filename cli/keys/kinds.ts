/** Describes API keys, signers and site keys for their commands: options, words and examples. */

import { Option } from 'commander';
import { planNames, unlimitedRequests } from '../../lambda/contract/plans';
import { createNumberParser, createTextParser } from '../command';

const exampleAccount = 'acc_0123456789abcdef01';

const createCapOption = (isMandatory: boolean) =>
  new Option('--max-per-month <N>', 'units that it may spend in a month, beside the plan')
    .argParser(createNumberParser('--max-per-month', 1, unlimitedRequests - 1))
    .makeOptionMandatory(isMandatory);
const createPayerOption = () =>
  new Option('--account <ID>', 'the account that pays, once per image and day').makeOptionMandatory();

/** API keys are secret, for servers. */
export const apiKey = {
  publishedAs: undefined as 'signer' | 'site' | undefined,
  noun: 'key',
  commands: 'keys',
  summary: '',
  exampleId: 'key_0123456789abcdef01',
  createSummary: 'Create a key. It is shown once.',
  /** The fields of JSON with the id, and with the secret, which is shown once. */
  idField: 'keyId',
  secretField: 'key',
  remark:
    'Keep the key now: it is stored as a hash only and cannot be shown again. It stays secret: on a public page, use a signer or a site key ("keys signer create", "keys site create").',
  defaultOverlap: '24h',
  /** What happens when it is revoked. */
  ending: 'It stops working everywhere within a minute.',
  /** Further options of `create`. Name and mode are common to all kinds. */
  options: [
    new Option('--plan <PLAN>', 'plan of a new account').choices(planNames).default('free'),
    new Option('--account-name <TEXT>', 'name of a new account').argParser(
      createTextParser('--account-name'),
    ),
    new Option('--account <ID>', 'add the key to this account, on its plan').conflicts([
      'plan',
      'accountName',
    ]),
    new Option(
      '--role <ROLE>',
      'an owner manages the keys of its account; the first live key is one',
    ).choices(['owner', 'member']),
    createCapOption(false),
  ],
  examples: [
    'keys create --plan pro --account-name "Acme" --name "web shop"',
    'keys create --plan free --name ci --json | jq -r .key',
  ],
};

export type CredentialKind = Readonly<typeof apiKey>;

/** A signer has a secret, which signs public URLs. */
export const signer: CredentialKind = {
  publishedAs: 'signer',
  noun: 'signer',
  commands: 'keys signer',
  summary: 'Issue and manage signers: their secret signs URLs on a server or in a build step.',
  exampleId: 'sg_live_0123456789ab',
  createSummary: 'Create a signer of an account. Its secret is shown once.',
  idField: 'signerId',
  secretField: 'secret',
  remark:
    'Keep the secret now: it is stored nowhere and is not shown again. It belongs on a server or in a build step, never in a page.',
  defaultOverlap: '30d',
  ending:
    'The service refuses all URLs that it has signed within a minute; shared caches may show them for two days, or eight while the service fails.',
  options: [createPayerOption()],
  examples: [`keys signer create --account ${exampleAccount} --name "web shop"`],
};

/** Site keys are public. They are bound to the origins of pages and to a monthly cap. */
export const siteKey: CredentialKind = {
  publishedAs: 'site',
  noun: 'site key',
  commands: 'keys site',
  summary: 'Issue and manage site keys: publishable, bound to origins and to a monthly cap.',
  exampleId: 'site_0123456789abcdef01',
  createSummary: 'Create a site key of an account. It is shown once.',
  idField: 'siteKeyId',
  secretField: 'siteKey',
  remark:
    'A site key may be published. Programs can send any origin, so only the monthly cap bounds its cost.',
  defaultOverlap: '30d',
  ending:
    'The service refuses it within a minute; shared caches may show its images for seven days while the service fails.',
  options: [
    createPayerOption(),
    new Option('--origin <ORIGIN>', 'origin of its pages; may be given several times')
      .argParser((text, earlierOrigins: readonly string[] = []) => [...earlierOrigins, text])
      .makeOptionMandatory(),
    createCapOption(true),
  ],
  examples: [
    `keys site create --account ${exampleAccount} --origin https://example.com --max-per-month 1000`,
  ],
};
