/** `usage`: what an account has used, as the account itself can read it. */

import type { Command } from 'commander';
import { unlimitedRequests } from '../../../lambda/contract/plans';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import { usageRecord } from '../../../lambda/quota/usage-record';
import { createCommand } from '../../command';
import { facts, table } from '../../table';
import { keysOfAccount } from '../find-keys';
import type { GeneratedToday } from '../open-keys';
import { withSession } from '../session';

export const usage = (): Command =>
  createCommand('usage', {
    summary: 'Show what an account has used, exact to the request.',
    examples: ['usage acc_0123456789abcdef01', 'usage acc_0123456789abcdef01 --test --json'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .option('--test', 'show the current hour of its test keys instead')
    .action((accountText: string, { test }: { readonly test?: boolean }, command: Command) =>
      withSession(command, async ({ keys, reportUsage, generatedToday, nowMs, output }) => {
        const key = (await keysOfAccount(keys, accountText)).at(-1) as KeyRecord;
        const { account, accountName, plan, keyId } = key;
        const name = accountName === undefined ? {} : { accountName };
        const caller: KeyedCaller = { kind: test ? 'test' : 'live', account, ...name, plan, keyId };
        const [report, day] = await Promise.all([reportUsage(caller, nowMs()), generatedToday()]);
        const record = { ...usageRecord(caller, report), ...(day ? { day } : {}) };
        output.result(record, (columns) => describe(record, columns));
      }),
    );

type UsageRecord = ReturnType<typeof usageRecord> & { readonly day?: GeneratedToday };

function describe(record: UsageRecord, columns: number): string {
  const { breakdown, history, day } = record;
  const amount = (units: number) => (units === unlimitedRequests ? 'unlimited' : units.toLocaleString('en'));
  const sections = [
    facts([
      ['Account', record.account],
      ['Account name', record.accountName],
      ['Plan', record.plan],
      ['Mode', record.mode],
      ['Used', record.used.toLocaleString('en')],
      ['Limit', amount(record.limit)],
      ['Remaining', amount(record.remaining)],
      ['Resets', record.reset],
      ...(record.generations
        ? ([
            [
              'AI images',
              `${record.generations.used.toLocaleString('en')} of ${amount(record.generations.limit)} this month`,
            ],
          ] as const)
        : []),
      ...(day
        ? ([
            [
              'AI images, all accounts',
              `${day.used.toLocaleString('en')} of ${day.limit.toLocaleString('en')} today`,
            ],
          ] as const)
        : []),
    ]),
  ];
  if (breakdown && breakdown.byDay.length > 0)
    sections.push(
      table(
        ['DAY', 'ANSWERED', 'FROM CACHE', 'NEW'],
        breakdown.byDay.map(({ date, requests, byCache }) => [date, requests, byCache.HIT, byCache.MISS]),
      ),
    );
  if (breakdown?.byKey && breakdown.byKey.length > 0)
    sections.push(
      table(
        ['KEY ID', 'ANSWERED', 'FREE', 'NAME'],
        breakdown.byKey.map(({ keyId, requests, free, name = '' }) => [keyId, requests, free, name]),
        columns,
      ),
    );
  if (history)
    sections.push(
      table(
        ['MONTH', 'ANSWERED', 'FROM CACHE', 'NEW'],
        history.map(({ month, requests, byCache }) => [month, requests, byCache.HIT, byCache.MISS]),
      ),
    );
  return sections.join('\n\n');
}
