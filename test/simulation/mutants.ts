/** The real adapters with single guards removed, which the simulation must detect. */

import { type Database, failureOf } from '../../lambda/aws/dynamodb/call';
import { UpdateCommand, type UpdateCommandInput } from '../../lambda/aws/dynamodb/commands';
import { labelOf } from './network';
import { belatedCopies, clocksApart, earlySweeps, rush, type Setting } from './setting';
import type { Mutation } from './world';

export interface Mutant extends Mutation {
  /** RequestContext in which it soon does harm; by chance alone that may take thousands of seeds. */
  readonly setting?: Partial<Setting>;
  readonly name: string;
  /** Beginning of the violation that gives it away. */
  readonly breaks: RegExp;
}

/** Changes the commands of one port method on their way to the engine. */
function rewriting(label: string, change: (input: UpdateCommandInput) => UpdateCommandInput): Mutation {
  return {
    database: (db) => ({
      ...db,
      send: ((command: UpdateCommand) =>
        db.send(
          labelOf(command) === label ? new UpdateCommand(change(command.input)) : command,
        )) as Database['send'],
    }),
  };
}

/** Takes a part of a condition away; what the part refers to is mentioned still, as the engine wants it. */
function dropping(label: string, part: string): Mutation {
  return rewriting(label, (input) => {
    const before = input.ConditionExpression ?? '';
    if (!before.includes(part)) return input;
    const words = [...new Set(part.match(/:\w+/g))];
    const idle =
      words.length === 0
        ? 'attribute_exists(pk) OR attribute_not_exists(pk)'
        : words.map((w) => `${w} = ${w}`).join(' AND ');
    return { ...input, ConditionExpression: before.replace(part, `(${idle})`) };
  });
}

export const mutants: readonly Mutant[] = [
  {
    name: 'a reservation that does not ask whether it was made before',
    breaks: /^(I2|operation)/,
    ...dropping('reserve', 'attribute_not_exists(#op)'),
  },
  {
    name: 'a reservation that does not ask for the watermark',
    setting: belatedCopies,
    breaks: /^I2/,
    ...dropping('reserve', '(attribute_not_exists(wm) OR wm < :me)'),
  },
  {
    name: 'a reservation without a cap',
    breaks: /^cap/,
    ...dropping('reserve', '(attribute_not_exists(held) OR held <= :heldMax)'),
  },
  {
    name: 'a unit that is granted beyond the limit',
    breaks: /^I1/,
    ...dropping('grant', '(attribute_not_exists(taken) OR taken <= :last)'),
  },
  {
    name: 'a unit that is granted by a copy that comes after the counter was closed',
    setting: belatedCopies,
    breaks: /^(U2|I5)/,
    ...dropping('grant', '(attribute_not_exists(wm) OR wm < :me)'),
  },
  {
    name: 'a surplus that is given back twice',
    breaks: /^(U1|U2|I1|I5|alarm)/,
    ...dropping('giveBackSurplus', '(attribute_not_exists(returned) OR returned = :returned)'),
  },
  {
    name: 'a counter that is never closed',
    setting: belatedCopies,
    breaks: /^(L1|U2|I5)/,
    ...rewriting('giveBackSurplus', (input) => ({
      ...input,
      UpdateExpression: (input.UpdateExpression ?? '').replace(', wm = :newest', ', seen = :newest'),
    })),
  },
  {
    name: 'an acquisition that takes over a lease that has not run out',
    setting: rush,
    breaks: /^calm/,
    ...dropping('acquire', '#until < :now'),
  },
  {
    name: 'a claim that is not exclusive',
    breaks: /^claim/,
    ...dropping('claim', '(attribute_not_exists(claim) OR claim = :run)'),
  },
  {
    name: 'an image that is finished without its fence',
    setting: earlySweeps,
    breaks: /^(fence|I3)/,
    ...dropping('finalize', 'f = :f'),
  },
  {
    name: 'an image that is finished by the previous holder of the lease',
    setting: earlySweeps,
    breaks: /^(I3|I6|lease)/,
    ...dropping('finalize', 'ex = :ex AND f = :f'),
  },
  {
    name: 'a first delivery that is taken as often as it is asked for',
    breaks: /^due/,
    ...dropping('takeDelivery', 'attribute_exists(due)'),
  },
  {
    name: 'a commit that does not ask for the pending entry',
    breaks: /^(operation|I1|sums)/,
    ...dropping('commit', 'size(#op) > :letter'),
  },
  {
    name: 'a settlement that may lower the watermark',
    setting: clocksApart,
    breaks: /^watermark/,
    ...dropping('commit', '(attribute_not_exists(wm) OR wm < :wm)'),
  },
  {
    name: 'a settlement that prunes and leaves the watermark where it was',
    breaks: /^watermark/,
    ...rewriting('commit', (input) => ({
      ...input,
      UpdateExpression: (input.UpdateExpression ?? '').replace(', wm = :wm', ''),
    })),
  },
  {
    name: 'reservations that stay in the sweeper’s index without holding anything',
    breaks: /^L1/,
    ...rewriting('unlist', (input) => ({ ...input, UpdateExpression: 'REMOVE nothing' })),
  },
  {
    name: 'an ordinary charge that is sent again after a lost answer',
    breaks: /^I5/,
    database: (db) => ({
      ...db,
      send: (async (command: UpdateCommand) => {
        try {
          return await db.send(command);
        } catch (error) {
          if (labelOf(command) !== 'consume' || failureOf(error) !== 'unknown') throw error;
          return db.send(command);
        }
      }) as Database['send'],
    }),
  },
  {
    name: 'a payment that begins while another one is pending',
    setting: { signedRate: 1 },
    breaks: /^once/,
    ...dropping('beginPaying', 'attribute_not_exists(s) OR (s = :pending AND #by = :me)'),
  },
  {
    name: 'an image that was paid and is released',
    setting: { signedRate: 1 },
    breaks: /^once/,
    stores: ({ paidImages, ...stores }) => ({
      ...stores,
      paidImages: {
        ...paidImages,
        settle: async (image, holder) => {
          await paidImages.release(image, holder);
          return true;
        },
      },
    }),
  },
  {
    name: 'a crashed payment that is begun anew',
    setting: { signedRate: 1 },
    breaks: /^once/,
    stores: ({ paidImages, ...stores }, { clock }) => ({
      ...stores,
      paidImages: {
        ...paidImages,
        read: async (image) => {
          const mark = await paidImages.read(image);
          if (mark.state !== 'pending' || clock.nowMs() < mark.endsMs) return mark;
          await paidImages.release(image, mark.holder);
          return { state: 'absent' };
        },
      },
    }),
  },
  {
    name: 'a sweeper that gives back without taking the lease away',
    breaks: /^(I3|operation|alarm)/,
    sweptStores: ({ index, ...stores }) => ({
      ...stores,
      index: {
        ...index,
        abandon: async () => true,
        read: async (key) => {
          const generation = await index.read(key);
          return generation?.state === 'LEASED' ? { ...generation, state: 'ABANDONED' } : generation;
        },
      },
    }),
  },
  {
    name: 'a failed run that gives back though it had finished',
    breaks: /^(I3|alarm)/,
    stores: ({ index, ...stores }) => ({
      ...stores,
      index: {
        ...index,
        fail: async (lease, failed) => {
          await index.fail(lease, failed);
          return 'fenced';
        },
        finalize: async (lease, finished) => {
          await index.finalize(lease, finished);
          return 'fenced';
        },
      },
    }),
  },
  {
    name: 'a charge that is given back to the month in which that happens',
    breaks: /^(L1|I5|operation)/,
    stores: ({ charges, ...stores }, { clock }) => ({
      ...stores,
      charges: {
        ...charges,
        refund: (operation, prunable) =>
          charges.refund({ ...operation, quotaKey: inMonthOf(operation.quotaKey, clock.nowMs()) }, prunable),
      },
    }),
  },
  {
    name: 'a charge that is committed before the image is finished',
    breaks: /^(I4|operation)/,
    stores: ({ index, ...stores }) => ({
      ...stores,
      index: {
        ...index,
        finalize: async (lease) =>
          (await index.read(lease.key))?.fence === lease.fence ? 'ready' : 'fenced',
      },
    }),
  },
];

function inMonthOf(quotaKey: string, nowMs: number): string {
  const month = new Date(nowMs).toISOString();
  const [, account, test] = quotaKey.split('#');
  const window = test === 'test' ? `test#${month.slice(0, 13)}` : month.slice(0, 7);
  return `Q#${account}#${window}#held`;
}
