/** `image-redirect picks`: the images of a query, and which of them an account shows. */

import { type Command, Option } from 'commander';
import { stockSlots } from '../../lambda/contract/providers';
import type { AccountId } from '../../lambda/credentials/account-id';
import type { SheetView } from '../../lambda/pages/picks';
import { detailOf, problems } from '../../lambda/problems/problem';
import type { DecisionPage, DecisionView } from '../../lambda/stock/choose-image';
import { createCommand } from '../command';
import { exitCodes, Failure, wrongUsage } from '../failure';
import { accountOf } from '../keys/find-keys';
import { group, type Session, withSession } from '../keys/session';
import { wholeNumber } from '../option-values';
import { facts, table } from '../output';
import type { AskedPicks } from './open-picks';

interface PicksOptions {
  readonly account?: string;
  readonly pick?: string;
  readonly seed?: number;
  readonly orientation?: string;
  readonly provider?: string;
}

/** `image-redirect picks`: shows, chooses, refuses and undoes the images of a query for an account. */
export function picks(): Command {
  const command = createCommand('picks', {
    summary: 'Show the images of a query, and decide which of them an account shows.',
    examples: [
      'picks show "mountain lake"',
      'picks choose "mountain lake" --seed 3 --account acc_0123456789abcdef01',
      'picks list --account acc_0123456789abcdef01',
    ],
  });
  return group(command, [show(), choose(), refuse(), undo(), list()]);
}

const orientations = ['landscape', 'portrait', 'square'];

const account = (isRequired: boolean) =>
  new Option('--account <ID>', 'the account that decides').makeOptionMandatory(isRequired);

function ofWords(name: string, summary: string, example: string, isAccountRequired = true): Command {
  return createCommand(name, { summary, examples: [`picks ${name} "mountain lake" ${example}`.trim()] })
    .argument('<WORDS>', 'the query')
    .addOption(account(isAccountRequired))
    .addOption(new Option('--orientation <NAME>', 'of the images').choices(orientations))
    .addOption(new Option('--provider <SLOT>', 'stock_a by default').choices(stockSlots));
}

const pickOption = (command: Command) =>
  command.option('--pick <ID>', 'pick of an image, as in its record or on the sheet');

const seedOption = (command: Command) =>
  command.option('--seed <N>', 'number of an image on the sheet', wholeNumber('--seed'));

const show = () =>
  ofWords(
    'show',
    'Show the images of a query, each with the seed that shows it. Charged to nobody.',
    '',
    false,
  ).action((query: string, { orientation, provider }: PicksOptions, command: Command) =>
    withPicks<SheetView>(
      command,
      async () => ({ method: 'GET', values: { query, orientation, provider } }),
      ({ candidates }, columns) =>
        table(
          ['Seed', 'Pick', 'Fit', 'Size', 'Title', 'Credit', ''],
          candidates.map(({ number, pick, fit, width, height, title, alt, credit, chosen, refused }) => [
            number,
            pick,
            fit,
            width === null ? '' : `${width} × ${height}`,
            title ?? alt ?? '',
            credit,
            chosen ? 'chosen' : refused ? 'refused' : '',
          ]),
          columns,
        ),
    ),
  );

const choose = () =>
  seedOption(
    pickOption(
      ofWords(
        'choose',
        'Choose the image that an account shows for some words, from its next request on.',
        '--seed 3 --account acc_0123456789abcdef01',
      ),
    ),
  ).action((query: string, { pick, seed, orientation, provider }: PicksOptions, command: Command) =>
    withPicks(
      command,
      async () => {
        if ((pick === undefined) === (seed === undefined))
          throw wrongUsage('Name one image: --pick or --seed.');
        return { method: 'POST', values: { query, orientation, provider, pick, seed } };
      },
      decisionText,
    ),
  );

const refuse = () =>
  seedOption(
    pickOption(
      ofWords(
        'refuse',
        'Refuse an image, which an account then never shows for these words.',
        '--pick 0123456789abcdef0123 --account acc_0123456789abcdef01',
      ),
    ),
  ).action((query: string, { pick, seed, orientation, provider }: PicksOptions, command: Command) =>
    withPicks(
      command,
      async (ask) => {
        if ((pick === undefined) === (seed === undefined))
          throw wrongUsage('Name one image: --pick or --seed.');
        const words = { query, orientation, provider };
        if (pick !== undefined) return { method: 'POST', values: { ...words, refuse: pick } };
        const { candidates } = await ask<SheetView>({ method: 'GET', values: words });
        const image = candidates.find(({ number }) => number === seed);
        if (!image) throw new Failure(exitCodes.notFound, `There is no image ${seed} for these words.`);
        return { method: 'POST', values: { ...words, refuse: image.pick } };
      },
      decisionText,
    ),
  );

const undo = () =>
  pickOption(
    ofWords(
      'undo',
      'Undo what an account has decided about some words, or one refusal.',
      '--account acc_0123456789abcdef01',
    ),
  ).action((query: string, { pick, orientation, provider }: PicksOptions, command: Command) =>
    withPicks(
      command,
      async () => ({ method: 'DELETE', values: { query, orientation, provider, refuse: pick } }),
      decisionText,
    ),
  );

const list = () =>
  createCommand('list', {
    summary: 'List what an account has decided.',
    examples: ['picks list --account acc_0123456789abcdef01 --json'],
  })
    .addOption(account(true))
    .option('--cursor <TEXT>', 'next of the page before')
    .action(({ cursor = '' }: { readonly cursor?: string }, command: Command) =>
      withPicks<DecisionPage>(
        command,
        async () => ({ method: 'GET', values: { cursor } }),
        (page, columns) =>
          [
            table(
              ['Query', 'Orientation', 'Provider', 'Chosen', 'Refused', 'At'],
              page.picks.map(({ query, orientation, provider, chosen, refused, at }) => [
                query,
                orientation ?? 'all',
                provider,
                chosen ?? '',
                refused.join(' '),
                at,
              ]),
              columns,
            ),
            ...(page.next === null ? [] : [`More: --cursor ${page.next}`]),
          ].join('\n\n'),
      ),
    );

const decisionText = ({ query, orientation, provider, chosen, refused }: DecisionView) =>
  facts([
    ['Query', query],
    ['Orientation', orientation ?? 'all'],
    ['Provider', provider],
    ['Chosen', chosen ?? 'none'],
    ['Refused', refused.length === 0 ? 'none' : refused.join(' ')],
  ]);

type Ask = <T>(asked: AskedPicks) => Promise<T>;

/** Asks the service for an account, and prints its answer. @throws `Failure`, also for an unknown account */
function withPicks<T = DecisionView>(
  command: Command,
  asked: (ask: Ask) => Promise<AskedPicks>,
  text: (answer: T, columns: number) => string,
): Promise<void> {
  return withSession(command, async (session: Session) => {
    const { account: id } = command.opts<PicksOptions>();
    const owner = id === undefined ? undefined : await accountOf(session.keys, id);
    const { openPicks } = await import('./open-picks');
    const caller = {
      kind: 'live',
      account: owner?.account ?? ('operator' as AccountId),
      plan: owner?.plan ?? 'free',
      keyId: 'operator',
    } as const;
    const answer = openPicks(session.service, caller, session.changeLog.record);
    const ask: Ask = async (each) => {
      const result = await answer(each);
      if (!('refusal' in result)) return JSON.parse(result.body);
      const { status } = problems[result.refusal.code];
      const code = status === 404 ? exitCodes.notFound : status === 400 ? exitCodes.usage : exitCodes.failed;
      throw new Failure(code, result.refusal.code === 'not_found' ? nothingThere : detailOf(result.refusal));
    };
    const wanted = await asked(ask);
    const found = await ask<T>(wanted);
    if (wanted.method !== 'GET') await session.service.invalidate([]);
    session.output.result(found, (columns) => text(found, columns));
  });
}

const nothingThere = 'There is no such image for this account, or nothing was decided.';
