/** `usage`: what an account has used, as the account itself can read it. */

import type { Command } from 'commander';
import { unlimitedRequests } from '../../lambda/contract/plans';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { usageDocument } from '../../lambda/quota/usage/report-usage';
import type { UsageBreakdown } from '../../lambda/quota/usage/usage-schema';
import { createCommand } from '../command';
import { facts, table } from '../output';
import { accountOf } from './find-keys';
import type { GeneratedToday } from './open-keys';
import { withSession } from './session';

/** The command `usage`, for live keys or, with `--test`, for test keys. */
export const usage = (): Command =>
  createCommand('usage', {
    summary: 'Show what an account has used, exact to the request.',
    examples: ['usage acc_0123456789abcdef01', 'usage acc_0123456789abcdef01 --test --json'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .option('--test', 'show the current hour of its test keys instead')
    .action((id: string, { test }: { readonly test?: boolean }, command: Command) =>
      withSession(command, async ({ services, reportUsage, generatedToday, nowMs, output }) => {
        const { account, accountName, plan, keyId } = await accountOf(services, id);
        const name = accountName === undefined ? {} : { accountName };
        const caller: KeyedCaller = { kind: test ? 'test' : 'live', account, ...name, plan, keyId };
        const [report, day] = await Promise.all([reportUsage(caller, nowMs()), generatedToday()]);
        const record = { ...usageDocument(caller, report), ...(day ? { day } : {}) };
        output.result(record, (columns) => describe(record, columns));
      }),
    );

type UsageRecord = ReturnType<typeof usageDocument> & { readonly day?: GeneratedToday };

const amount = (value: number) => (value === unlimitedRequests ? 'unlimited' : value.toLocaleString('en'));

function describe(record: UsageRecord, columns: number): string {
  const { breakdown, history = [], generations, day } = record;
  const { byDay = [], byKey = [] } = breakdown ?? {};
  const about = facts([
    ['Account', record.account],
    ['Account name', record.accountName],
    ['Plan', record.plan],
    ['Mode', record.mode],
    ['Used', amount(record.used)],
    ['Limit', amount(record.limit)],
    ['Remaining', amount(record.remaining)],
    ['Resets', record.reset],
    ['AI images', `${amount(generations.used)} of ${amount(generations.limit)} this month`],
    ['AI images, all accounts', day && `${amount(day.used)} of ${amount(day.limit)} today`],
  ]);
  const tables = [
    {
      head: ['Day', ...countHeads],
      rows: byDay.map((day) => [day.date, ...countsOf(day)]),
    },
    {
      head: ['Key id', 'Charged', 'Free', 'Name'],
      rows: byKey.map(({ keyId, requests, free, name = '' }) => [keyId, requests, free, name]),
    },
    {
      head: ['Refused', 'Requests'],
      rows: Object.entries(breakdown?.refused ?? {}),
    },
    {
      head: ['Month', ...countHeads],
      rows: history.map((month) => [month.month, ...countsOf(month)]),
    },
  ].filter(({ rows }) => rows.length > 0);
  return [about, ...tables.map(({ head, rows }) => table(head, rows, columns))].join('\n\n');
}

const countHeads = ['Charged', 'From cache', 'New', 'Free'];

/** What a day or a month counts, under `countHeads`. */
function countsOf({
  requests,
  byCache,
  free,
}: Pick<UsageBreakdown['byDay'][number], 'requests' | 'byCache' | 'free'>) {
  return [requests, byCache.HIT, byCache.MISS, free];
}
