/** `list`, `show`, `rotate` and `revoke`, for API keys, signers and site keys alike, and what changes an account on all its keys. */

import { Argument, type Command, Option } from 'commander';
import { type PlanName, planNames } from '../../lambda/contract/plans';
import { routes } from '../../lambda/contract/routes';
import { setName as putName, setPlan as putPlan, revokeKey } from '../../lambda/credentials/manage-keys';
import { createCommand } from '../command';
import { failed, wrongUsage } from '../failure';
import { readDuration, readName } from '../option-values';
import { accountOf, findKey, recordsOf } from './find-keys';
import { describeKey, keyTable, keyView, stateOf } from './key-views';
import { type CredentialKind, showIssued } from './kinds';
import { type Session, withSession, yesOption } from './session';

/** Reads the id of one; what is secret belongs on no command line, and is not repeated in the refusal. */
function readId(text: string): string {
  if (/^pk_/.test(text))
    throw wrongUsage(
      'That is a key, not a key id. Keys do not belong on a command line: "keys list" shows their ids.',
    );
  if (/^sgs_/.test(text))
    throw wrongUsage(
      'That is the secret of a signer, not its id. Secrets do not belong on a command line: "keys signer list" shows the ids.',
    );
  if (/^site_(live|test)_/.test(text))
    throw wrongUsage('That is a site key, not its id. "keys site list" shows the ids.');
  return text;
}

const capitalized = (noun: string) => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;

/** Lists the credentials of a kind, by account and age. */
export const list = (kind: CredentialKind): Command =>
  createCommand('list', kind.list)
    .option('--account <ID>', `only the ${kind.noun}s of this account`)
    .action(({ account }: { readonly account?: string }, command: Command) =>
      withSession(command, async ({ services, nowMs, output }) => {
        const records = await recordsOf(services, kind, account);
        const views = records.map((record) => keyView(record, nowMs()));
        output.result(views, (columns) =>
          views.length === 0 ? `There are no ${kind.noun}s yet.` : keyTable(views, columns, kind.id.title),
        );
      }),
    );

/** Shows one, without what is secret. */
export const show = (kind: CredentialKind): Command =>
  createCommand('show', {
    summary: 'Show one key. The key itself is not stored, so it is not shown.',
    examples: ['keys show key_0123456789abcdef01'],
  })
    .argument(kind.argument, `id of the ${kind.noun}`, readId)
    .action((id: string, _, command: Command) =>
      withSession(command, async (session) => {
        const view = keyView(await findKey(session.services, id, kind), session.nowMs());
        session.output.result(view, () => describeKey(view, kind.id.title));
      }),
    );

/** Ends one for good; one that is revoked already is shown. */
export const revoke = (kind: CredentialKind): Command =>
  createCommand('revoke', kind.revoke)
    .argument(kind.argument, `id of the ${kind.noun}`, readId)
    .addOption(yesOption())
    .action((id: string, _, command: Command) =>
      withSession(command, async ({ services, nowMs, output, confirm }) => {
        const record = await findKey(services, id, kind);
        if (record.revokedAt === undefined)
          await confirm(
            `${capitalized(kind.noun)} ${id} ("${record.name}", account ${record.account})${kind.revoke.consequence}`,
          );
        const view = keyView(await revokeKey(services, record), nowMs());
        output.result(view, () => describeKey(view, kind.id.title));
      }),
    );

/** Creates a successor of one, which itself works until an overlap ends; a revoked or expired one is refused. */
export function rotate(kind: CredentialKind): Command {
  const { rotate: texts, argument, noun } = kind;
  const readOverlap = readDuration('--overlap');
  return createCommand('rotate', texts)
    .argument(argument, `id of the ${noun}`, readId)
    .addOption(
      new Option('--overlap <TIME>', `how long ${texts.overlapping} work, such as 30m, 24h, 30d or 0`)
        .argParser(readOverlap)
        .default(readOverlap(texts.overlap), texts.overlap),
    )
    .addOption(yesOption())
    .action((id: string, { overlap }: { readonly overlap: number }, command: Command) =>
      withSession(command, (session) => rotateOne(session, kind, id, overlap)),
    );
}

async function rotateOne(session: Session, kind: CredentialKind, id: string, overlapMs: number) {
  const named = `${capitalized(kind.noun)} ${id}`;
  const old = await findKey(session.services, id, kind);
  const state = stateOf(old, session.nowMs());
  if (state === 'revoked' || state === 'expired')
    throw failed(
      `${named} is ${state}. Create another one: ${kind.commands} create --account ${old.account}`,
    );
  if (overlapMs === 0) await session.confirm(`${named} ("${old.name}"): ${kind.rotate.consequence}`);
  const issued = await kind.makeSuccessor(session, old, overlapMs);
  const { expiresAt = '' } = await findKey(session.services, id, kind);
  showIssued(session, kind, issued, {
    json: { replaces: { [kind.id.json]: id, expiresAt } },
    lines: [
      ['Replaces', id],
      ['Which ends', overlapMs === 0 ? `${expiresAt}, everywhere within a minute` : expiresAt],
    ],
  });
}

/** Puts an account on a plan. */
export const setPlan = (): Command =>
  createCommand('set-plan', {
    summary: 'Put an account on a plan. The limit changes within a minute; what was used stays counted.',
    examples: ['keys set-plan acc_0123456789abcdef01 business'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .addArgument(new Argument('<PLAN>', 'the new plan').choices(planNames))
    .action((id: string, plan: PlanName, _, command: Command) =>
      withSession(command, async ({ services, output }) => {
        const { account } = await accountOf(services, id);
        const count = await putPlan(services, account, plan);
        const of = count === 1 ? 'its one key' : `all its ${count} keys`;
        output.result(
          { account, plan, keys: count },
          () => `Account ${account} is on plan ${plan}, with ${of}. The limit changes within a minute.`,
        );
      }),
    );

/** Names an account. */
export const setName = (): Command =>
  createCommand('set-name', {
    summary: 'Name an account. The name is shown in tables, usage reports and threshold events.',
    examples: ['keys set-name acc_0123456789abcdef01 "Acme"'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .argument('<NAME>', 'its name', readName('<NAME>'))
    .action((id: string, accountName: string, _, command: Command) =>
      withSession(command, async ({ services, output }) => {
        const { account } = await accountOf(services, id);
        const count = await putName(services, account, accountName);
        output.result(
          { account, accountName, keys: count },
          () =>
            `Account ${account} is called ${accountName}. Events and GET ${routes.usage} show the name within a minute.`,
        );
      }),
    );
