/** `image-redirect keys`: the operator's commands for keys, signers, site keys, plans and usage. */

import type { Command } from 'commander';
import { createCommand } from '../command';
import { createKey, createSigner, createSiteKey } from './create';
import { deleteAccount } from './delete-account';
import { apiKey, signer, siteKey } from './kinds';
import { list, revoke, rotate, setName, setPlan, show } from './manage';
import { group } from './session';
import { usage } from './usage';

const exitCodesHelp = `Exit codes:
  0 done · 1 failed · 2 wrong usage · 3 no such key, account or stack
  4 not confirmed · 5 service or AWS not reachable`;

/** The command `keys`, with the groups `keys signer` and `keys site`. */
export const keys = (): Command =>
  group(
    createCommand('keys', {
      summary:
        'Issue and manage API keys, signers, site keys and accounts, of a local service or of a deployed stack.',
      examples: [
        'keys create --plan pro --account-name "Acme" --name "web shop"',
        'keys usage acc_0123456789abcdef01 --stack ImageRedirect-prod',
        'keys create --plan free --name ci --json | jq -r .key',
      ],
      more: exitCodesHelp,
    }),
    [
      createKey(),
      list(apiKey),
      show(apiKey),
      rotate(apiKey),
      revoke(apiKey),
      setPlan(),
      setName(),
      usage(),
      deleteAccount(),
    ],
  )
    .addCommand(signers())
    .addCommand(siteKeys());

const signers = () =>
  group(
    createCommand('signer', {
      summary: 'Issue and manage signers: their secret signs URLs on a server or in a build step.',
      examples: [
        'keys signer create --account acc_0123456789abcdef01 --name "web shop"',
        'keys signer list --json',
      ],
    }),
    [createSigner(), list(signer), rotate(signer), revoke(signer)],
  );

const siteKeys = () =>
  group(
    createCommand('site', {
      summary: 'Issue and manage site keys: publishable, bound to origins and to a monthly cap.',
      examples: [
        'keys site create --account acc_0123456789abcdef01 --origin https://example.com --max-per-month 1000',
        'keys site list --json',
      ],
    }),
    [createSiteKey(), list(siteKey), rotate(siteKey), revoke(siteKey)],
  );
