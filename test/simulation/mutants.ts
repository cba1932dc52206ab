/** The real adapters with single guards removed, each of which the simulation must detect. */

import { type Database, failureOf } from '../../lambda/aws/dynamodb/call';
import { GetCommand, UpdateCommand, type UpdateCommandInput } from '../../lambda/aws/dynamodb/commands';
import { readItem } from '../../lambda/aws/dynamodb/items';
import type { Acquisition, GenerationIndex } from '../../lambda/generation/generation';
import type { Charges } from '../../lambda/quota/reservations';
import { imageCost, type Operation } from '../../lambda/quota/reservations';
import type { Item } from './dynamodb-expressions';
import { labelOf } from './network';
import {
  belatedCopies,
  clocksApart,
  copiesAndPauses,
  earlySweeps,
  lostImages,
  rush,
  type Setting,
} from './setting';
import type { Given, Mutation, Stores } from './world';

export interface Mutant extends Mutation {
  /** Setting in which it soon does harm; by chance alone that may take thousands of seeds. */
  readonly setting?: Partial<Setting>;
  readonly name: string;
  /** Beginning of the violation that gives it away. */
  readonly breaks: RegExp;
}

type Send = (command: UpdateCommand) => Promise<{ readonly Attributes?: Item | undefined }>;

/** Sends the commands of one port method in another way. */
function sending(label: string, change: (command: UpdateCommand, send: Send) => ReturnType<Send>): Mutation {
  return {
    database: (db) => {
      const send: Send = (command) => db.send(command);
      return {
        ...db,
        send: ((command: UpdateCommand) =>
          labelOf(command) === label ? change(command, send) : db.send(command)) as Database['send'],
      };
    },
  };
}

/** Changes the commands of one port method on their way to the engine. */
function rewriting(label: string, change: (input: UpdateCommandInput) => UpdateCommandInput): Mutation {
  return sending(label, (command, send) => send(new UpdateCommand(change(command.input))));
}

/** Writes something else; what the new expression leaves out is mentioned in the condition, as the engine wants it. */
function writing(label: string, part: string, instead: string): Mutation {
  return rewriting(label, (input) => {
    const before = input.UpdateExpression ?? '';
    const after = before.replace(part, instead);
    const isIn = (text: string) => (word: string) => new RegExp(`${word}\\b`).test(text);
    const unused = [...new Set(before.match(/:\w+/g))].filter((word) => !isIn(after)(word));
    const idle = unused.filter((word) => !isIn(input.ConditionExpression ?? '')(word));
    return {
      ...input,
      UpdateExpression: after,
      ConditionExpression: `(${input.ConditionExpression})${idle.map((word) => ` AND ${word} = ${word}`).join('')}`,
    };
  });
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

function withIndex(change: (stores: Stores, given: Given) => Partial<GenerationIndex>): Mutation {
  return {
    stores: (stores, given) => ({ ...stores, index: { ...stores.index, ...change(stores, given) } }),
  };
}

function withCharges(change: (stores: Stores, given: Given) => Partial<Charges>): Mutation {
  return {
    stores: (stores, given) => ({ ...stores, charges: { ...stores.charges, ...change(stores, given) } }),
  };
}

/** Every operation is charged, committed and refunded as another one. */
function withOperations(change: <T extends Operation>(operation: T) => T): Mutation {
  return withCharges(({ charges }) => ({
    reserve: (operation, limits) => charges.reserve(change(operation), limits),
    commit: (operation, prunable) => charges.commit(change(operation), prunable),
    refund: (operation, prunable) => charges.refund(change(operation), prunable),
  }));
}

function sweptIndex(change: (index: GenerationIndex) => Partial<GenerationIndex>): Mutation {
  return { sweptStores: (stores) => ({ ...stores, index: { ...stores.index, ...change(stores.index) } }) };
}

/** Guards that back each other up are missed only together. */
function together(...mutations: readonly Mutation[]): Mutation {
  return {
    database: (db) => mutations.reduce((inner, { database }) => database?.(inner) ?? inner, db),
    stores: (stores, given) =>
      mutations.reduce((inner, { stores: change }) => change?.(inner, given) ?? inner, stores),
  };
}

const holds = 'st = :leased AND ex = :ex AND f = :f';
const inclusiveClaim = dropping('claim', '(attribute_not_exists(claim) OR claim = :run)');
const twoRuns = { drawFailureRate: 0.4, faultRate: 0, isCalm: false } as const;

const reserving: readonly Mutant[] = [
  {
    name: 'an acquisition that takes a finished image',
    breaks: /^ready/,
    ...rewriting('acquire', (input) => ({
      ...input,
      ConditionExpression: `${input.ConditionExpression} OR attribute_exists(s3)`,
    })),
  },
  {
    name: 'an acquisition that keeps the fence',
    setting: earlySweeps,
    breaks: /^(fence|I3|I6|lease|claim)/,
    ...writing('acquire', 'f = if_not_exists(f, :zero) + :one', 'f = if_not_exists(f, :one)'),
  },
  {
    name: 'an acquisition that takes over a lease that has not run out',
    setting: rush,
    breaks: /^calm/,
    ...dropping('acquire', '#until < :now'),
  },
  {
    name: 'a reservation that is made before the lease is taken',
    setting: {
      ...earlySweeps,
      kinds: ['pause'],
      labels: ['reserve', 'grant'],
      words: 1,
      drawFailureRate: 0.4,
    },
    breaks: /^I3/,
    ...reservingFirst(),
  },
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
    name: 'a stale reservation that passes for a new one',
    setting: clocksApart,
    breaks: /^I3/,
    ...withCharges(({ charges }) => ({
      reserve: async (operation, limits) => {
        const reservation = await charges.reserve(operation, limits);
        if (reservation.outcome !== 'stale') return reservation;
        return { outcome: 'reserved', prunable: [], overdue: [], taken: 0 };
      },
    })),
  },
  {
    name: 'a reservation in the month in which it arrives',
    breaks: /^(I3|alarm|operation)/,
    ...withCharges(({ charges }, { clock }) => ({
      reserve: (operation, limits) =>
        charges.reserve({ ...operation, quotaKey: inMonthOf(operation.quotaKey, clock.nowMs()) }, limits),
    })),
  },
  {
    name: 'a test key that spends units of the live counter',
    breaks: /^item/,
    ...withOperations((operation) => ({
      ...operation,
      quotaKey: operation.quotaKey.replace(/#test#(\d{4}-\d\d)[^#]*/, '#$1'),
    })),
  },
  {
    name: 'a unit that is granted beyond the limit',
    breaks: /^I1/,
    ...dropping('grant', '(attribute_not_exists(taken) OR taken <= :last)'),
  },
  {
    name: 'a unit that is granted before its place is reserved',
    setting: belatedCopies,
    breaks: /^(U1|U2|I5)/,
    ...grantingFirst(),
  },
  {
    name: 'a unit that is granted by a copy that comes after the counter was closed',
    setting: belatedCopies,
    breaks: /^(U2|I5)/,
    ...dropping('grant', '(attribute_not_exists(wm) OR wm < :me)'),
  },
  {
    name: 'an ordinary charge beyond the limit',
    setting: { limit: 1, isStockSure: true },
    breaks: /^I1/,
    ...dropping('charge', 'attribute_not_exists(taken) OR taken <= :last'),
  },
  {
    name: 'an ordinary charge that is sent again after a lost answer',
    breaks: /^I5/,
    ...sending('charge', async (command, send) => {
      try {
        return await send(command);
      } catch (error) {
        if (failureOf(error) !== 'unknown') throw error;
        return send(command);
      }
    }),
  },
];

const closing: readonly Mutant[] = [
  {
    name: 'a surplus that is given back twice',
    breaks: /^(U1|U2|I1|I5|alarm)/,
    ...dropping('giveBackSurplus', '(attribute_not_exists(returned) OR returned = :returned)'),
  },
  {
    name: 'a counter that is read after the reservations',
    setting: copiesAndPauses,
    breaks: /^(U1|I5)/,
    ...readingReservationsFirst(),
  },
  {
    name: 'a counter that is closed over a unit granted meanwhile',
    setting: copiesAndPauses,
    breaks: /^(U2|I5)/,
    ...dropping('giveBackSurplus', 'granted = :granted'),
  },
  {
    name: 'a counter that is never closed',
    setting: belatedCopies,
    breaks: /^(L1|U2|I5)/,
    ...writing('giveBackSurplus', ', wm = :newest', ''),
  },
  {
    name: 'a close that may lower the counter’s watermark',
    setting: { ...copiesAndPauses, labels: ['giveBackSurplus'], kinds: ['copy'], limit: 0, requests: 12 },
    breaks: /^watermark/,
    ...dropping('giveBackSurplus', '(attribute_not_exists(wm) OR wm < :newest)'),
  },
  {
    name: 'reservations that stay in the sweeper’s index without holding anything',
    breaks: /^L1/,
    ...writing('unlist', 'REMOVE sweepAt', 'REMOVE nothing'),
  },
  {
    name: 'reservations that leave the sweeper’s index while they hold places',
    breaks: /^sweepAt/,
    ...withCharges(({ charges }, { db }) => ({
      close: async (quotaKey) => {
        await charges.close(quotaKey);
        await unlist(db, quotaKey, 'attribute_exists(held)');
      },
    })),
  },
  {
    name: 'reservations that leave the sweeper’s index though they have changed',
    setting: copiesAndPauses,
    breaks: /^U2/,
    ...dropping('unlist', 'begun = :begun'),
  },
  {
    name: 'reservations that leave the sweeper’s index before they are balanced',
    breaks: /^(U2|I5)/,
    ...withCharges((_, { db }) => ({
      close: (quotaKey) => unlist(db, quotaKey, 'held = :none', { ':none': 0 }),
    })),
  },
];

const finishing: readonly Mutant[] = [
  { name: 'a claim that is not exclusive', breaks: /^claim/, ...inclusiveClaim },
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
    name: 'an image that is finished without a lease',
    setting: earlySweeps,
    breaks: /^(I3|I6|lease)/,
    ...dropping('finalize', 'st = :leased'),
  },
  {
    name: 'a charge that is committed before the image is finished',
    breaks: /^(I4|operation)/,
    ...withIndex(({ index }) => ({
      finalize: async (lease) => ((await index.read(lease.key))?.fence === lease.fence ? 'ready' : 'fenced'),
    })),
  },
  {
    name: 'an image that is marked settled by an earlier execution',
    setting: {
      ...lostImages,
      kinds: ['copy', 'pause'],
      lateMaxMs: 10_000,
      sweepsAheadMs: 0,
      sweepEveryMs: 60_000,
      faultRate: 0.7,
    },
    breaks: /^settled/,
    ...dropping('markSettled', 'ex = :ex AND f = :f'),
  },
  {
    name: 'an image that is made again and still marked settled',
    setting: lostImages,
    breaks: /^settled/,
    ...together(
      writing('acquire', 'settled = :no, ', ''),
      writing('finalize', 'settled = :settled', 'settled = if_not_exists(settled, :settled)'),
    ),
  },
  {
    name: 'an image that is given up before its charge is settled',
    setting: lostImages,
    breaks: /^evict/,
    ...together(
      dropping('markLost', 'settled = :yes'),
      withIndex(({ index }) => ({
        read: async (key) => {
          const generation = await index.read(key);
          return generation && { ...generation, settled: true };
        },
      })),
    ),
  },
  {
    name: 'a free image that waits for a charge to be settled',
    breaks: /^free/,
    ...rewriting('finalize', (input) => ({
      ...input,
      ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ':settled': false },
    })),
  },
  {
    name: 'a free image that owes a delivery',
    breaks: /^free/,
    ...rewriting('finalize', (input) => ({
      ...input,
      UpdateExpression: input.UpdateExpression?.includes('due = :yes')
        ? input.UpdateExpression
        : (input.UpdateExpression ?? '').replace('SET ', 'SET due = :due, '),
      ExpressionAttributeValues: {
        ...input.ExpressionAttributeValues,
        ...(input.UpdateExpression?.includes('due = :yes') ? {} : { ':due': true }),
      },
    })),
  },
  {
    name: 'a first delivery that is taken as often as it is asked for',
    setting: rush,
    breaks: /^due/,
    ...dropping('takeDelivery', 'attribute_exists(due)'),
  },
  {
    name: 'a first delivery of another execution',
    setting: lostImages,
    breaks: /^due/,
    ...dropping('takeDelivery', 'ex = :ex'),
  },
  {
    name: 'a first delivery whose request does not know its own claim again',
    breaks: /^due/,
    ...sending('takeDelivery', async (command, send) => {
      try {
        return await send(command);
      } catch (error) {
        const { Item } = error as { readonly Item?: Item };
        throw Object.assign(error as Error, Item && { Item: { ...Item, dueBy: undefined } });
      }
    }),
  },
];

const settling: readonly Mutant[] = [
  {
    name: 'a commit that does not ask for the pending entry',
    breaks: /^(operation|I1|sums)/,
    ...dropping('commit', 'size(#op) > :letter'),
  },
  {
    name: 'a refund that does not ask for the pending entry',
    breaks: /^(operation|I1|sums)/,
    ...dropping('refund', 'size(#op) > :letter'),
  },
  {
    name: 'a commit in the month in which that happens',
    breaks: /^(L1|I5|alarm|operation)/,
    ...withCharges(({ charges }, { clock }) => ({
      commit: (operation, prunable) =>
        charges.commit({ ...operation, quotaKey: inMonthOf(operation.quotaKey, clock.nowMs()) }, prunable),
    })),
  },
  {
    name: 'a charge that is given back to the month in which that happens',
    breaks: /^(L1|I5|operation)/,
    ...withCharges(({ charges }, { clock }) => ({
      refund: (operation, prunable) =>
        charges.refund({ ...operation, quotaKey: inMonthOf(operation.quotaKey, clock.nowMs()) }, prunable),
    })),
  },
  {
    name: 'a settlement that leaves no entry behind',
    setting: belatedCopies,
    breaks: /^I2/,
    ...rewriting('refund', forgetting),
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
    ...writing('commit', ', wm = :wm', ''),
  },
  {
    name: 'a settlement that prunes what is pending',
    setting: clocksApart,
    breaks: /^(operation|L1)/,
    ...withCharges(({ charges }) => ({
      commit: async (operation, prunable) => {
        const pending = await charges.pendingOf(operation.quotaKey);
        return charges.commit(operation, [...prunable, ...pending.map(({ execution }) => execution)].sort());
      },
    })),
  },
  {
    name: 'a settlement that passes for done when it may not prune',
    setting: clocksApart,
    breaks: /^(settled|I3|L1)/,
    ...sending('commit', async (command, send) => {
      try {
        return await send(command);
      } catch (error) {
        const { Item } = error as { readonly Item?: Item };
        const entry = Item?.[command.input.ExpressionAttributeNames?.['#op'] ?? ''];
        if (failureOf(error) !== 'refused' || !(entry instanceof Uint8Array)) throw error;
        return { Attributes: {} };
      }
    }),
  },
  {
    name: 'a free execution that costs a unit',
    breaks: /^(free|I5)/,
    ...withOperations((operation) => ({ ...operation, cost: imageCost })),
  },
  {
    name: 'a free execution whose place stays counted as free',
    breaks: /^(I1|sums)/,
    ...writing('commit', 'heldFree = if_not_exists(heldFree, :zero) - :free, ', ''),
  },
  {
    name: 'a free place whose end the other way breaks the books',
    setting: { ...lostImages, kinds: ['pause'], labels: ['finalize'], variationRate: 0.7 },
    breaks: /^alarm/,
    stores: ({ charges, ...stores }, { db, alarm }) => ({
      ...stores,
      charges: {
        ...charges,
        commit: async (operation, prunable) => {
          const settlement = await charges.commit(operation, prunable);
          const item = await readItem(db, 'quotaCounters', { pk: operation.quotaKey });
          if (operation.cost === 0 && item?.[`op#${operation.execution}`] === 'R')
            alarm('settled-either-way');
          return settlement;
        },
      },
    }),
  },
];

const givingUp: readonly Mutant[] = [
  {
    name: 'a failed run that gives back though it had finished',
    breaks: /^(I3|alarm)/,
    ...withIndex(({ index }) => ({
      fail: async (lease, failed) => {
        await index.fail(lease, failed);
        return 'fenced';
      },
      finalize: async (lease, finished) => {
        await index.finalize(lease, finished);
        return 'fenced';
      },
    })),
  },
  {
    name: 'two runs of one execution, of which the failed one gives back',
    setting: twoRuns,
    breaks: /^(I3|alarm)/,
    ...together(
      inclusiveClaim,
      withIndex(({ index }) => ({
        fail: async (lease, failed) => {
          const ended = await index.fail(lease, failed);
          return ended === 'ready' ? 'fenced' : ended;
        },
      })),
    ),
  },
  {
    name: 'two runs of one execution, of which one fails the finished image',
    setting: twoRuns,
    breaks: /^ready/,
    ...together(inclusiveClaim, dropping('fail', 'st = :leased')),
  },
  {
    name: 'two runs of one execution, of which one gives back before it fails',
    setting: twoRuns,
    breaks: /^(I3|alarm)/,
    ...together(
      inclusiveClaim,
      withIndex(({ index, charges }) => ({
        fail: async (lease, failed) => {
          const { quotaKey, execution } = (await index.read(lease.key)) ?? {};
          if (quotaKey !== undefined && execution === lease.execution)
            await charges.refund({ quotaKey, execution, cost: imageCost }, []);
          return index.fail(lease, failed);
        },
      })),
    ),
  },
  {
    name: 'a failure that ends whatever it meets',
    setting: { ...earlySweeps, drawFailureRate: 0.4 },
    breaks: /^ready/,
    ...dropping('fail', holds),
  },
  {
    name: 'a release that ends whatever it meets',
    setting: {
      ...earlySweeps,
      lateMaxMs: 20_000,
      labels: ['release'],
      words: 2,
      cap: 0,
      limit: 12,
      requests: 12,
      gapMaxMs: 4_000,
      drawMaxMs: 4_000,
    },
    breaks: /^(ready|evict)/,
    ...dropping('release', holds),
  },
];

const sweeping: readonly Mutant[] = [
  {
    name: 'a sweeper that gives back without taking the lease away',
    breaks: /^(I3|operation|alarm)/,
    ...sweptIndex((index) => ({
      abandon: async () => true,
      read: async (key) => {
        const generation = await index.read(key);
        return generation?.state === 'LEASED' ? { ...generation, state: 'ABANDONED' } : generation;
      },
    })),
  },
  {
    name: 'a sweeper that gives back what is finished',
    breaks: /^I3/,
    ...sweptIndex((index) => ({
      byImageId: async (imageId) => {
        const generation = await index.byImageId(imageId);
        return generation?.state === 'READY' ? { ...generation, state: 'FAILED' } : generation;
      },
    })),
  },
  {
    name: 'a sweeper that commits whatever is finished',
    setting: { ...earlySweeps, kinds: ['pause'], words: 1 },
    breaks: /^I4/,
    sweptStores: ({ charges, index, ...stores }) => ({
      ...stores,
      index,
      charges: {
        ...charges,
        refund: async (operation, prunable) => {
          const { imageId = '' } = operation as Operation & { readonly imageId?: string };
          const generation = await index.byImageId(imageId);
          return charges[generation?.state === 'READY' ? 'commit' : 'refund'](operation, prunable);
        },
      },
    }),
  },
  {
    name: 'a sweeper that does not read again after it has taken the lease away',
    setting: { ...earlySweeps, kinds: ['pause', 'copy'] },
    breaks: /^I3/,
    ...sweptIndex((index) => ({
      read: async (key) => {
        const generation = await index.read(key);
        return generation && { ...generation, state: 'ABANDONED' };
      },
    })),
  },
  {
    name: 'a sweeper that takes a lease away which is no lease any more',
    setting: { ...earlySweeps, kinds: ['pause', 'copy'] },
    breaks: /^(ready|evict)/,
    ...dropping('abandon', 'st = :leased'),
  },
];

const paying: readonly Mutant[] = [
  {
    name: 'a payment that begins while another one is pending',
    setting: { signedRate: 1, losses: 0 },
    breaks: /^once/,
    ...dropping('beginPaying', 'attribute_not_exists(s) OR (s = :pending AND #by = :me)'),
  },
  {
    name: 'an image that was paid and is released',
    setting: { signedRate: 1, losses: 0 },
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
    setting: { signedRate: 1, losses: 0 },
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
];

export const mutants: readonly Mutant[] = [
  ...reserving,
  ...closing,
  ...finishing,
  ...settling,
  ...givingUp,
  ...sweeping,
  ...paying,
];

/** The lease is only taken when the place is reserved. */
function reservingFirst(): Mutation {
  return {
    stores: ({ index, charges, ...stores }) => {
      const waiting = new Map<string, readonly [Acquisition, { fence: number }]>();
      return {
        ...stores,
        index: {
          ...index,
          acquire: async (acquisition) => {
            const { key, execution } = acquisition;
            const lease = { key, execution, fence: 0 };
            waiting.set(execution, [acquisition, lease]);
            return { outcome: 'leased', lease };
          },
        },
        charges: {
          ...charges,
          reserve: async (operation, limits) => {
            const reservation = await charges.reserve(operation, limits);
            const [acquisition, lease] = waiting.get(operation.execution) ?? [];
            if (reservation.outcome !== 'reserved' || !acquisition || !lease) return reservation;
            const acquired = await index.acquire(acquisition);
            if (acquired.outcome === 'taken') throw new Error('Another execution has the lease');
            lease.fence = acquired.lease.fence;
            return reservation;
          },
        },
      };
    },
  };
}

/** The place is only reserved when its unit is granted. */
function grantingFirst(): Mutation {
  return {
    database: (db) => {
      let place: UpdateCommand | undefined;
      return {
        ...db,
        send: (async (command: UpdateCommand) => {
          const {
            UpdateExpression,
            ExpressionAttributeValues: values = {},
            ExpressionAttributeNames,
          } = command.input;
          if (labelOf(command) === 'reserve' && values[':c'] !== 0) {
            place = command;
            return {
              Attributes: { [ExpressionAttributeNames?.['#op'] ?? '']: values[':op'] },
              UpdateExpression,
            };
          }
          const answer = await db.send(command);
          if (labelOf(command) === 'grant' && place) await db.send(place);
          return answer;
        }) as Database['send'],
      };
    },
  };
}

/** What `giveBackSurplus` reads second it is given as it was before it read the first. */
function readingReservationsFirst(): Mutation {
  return {
    database: (db) => {
      let kept: unknown;
      return {
        ...db,
        send: (async (command: GetCommand) => {
          if (labelOf(command) !== 'pendingOf') return db.send(command);
          const pk = String(command.input.Key?.['pk']);
          if (pk.endsWith('#held')) {
            const answer = kept ?? (await db.send(command));
            kept = undefined;
            return answer;
          }
          kept = await db.send(new GetCommand({ ...command.input, Key: { pk: `${pk}#held` } }));
          return db.send(command);
        }) as Database['send'],
      };
    },
  };
}

/** A settling write that removes its own entry. */
function forgetting(input: UpdateCommandInput): UpdateCommandInput {
  const rest = (input.UpdateExpression ?? '').replace('SET #op = :to, ', 'SET ');
  return {
    ...input,
    UpdateExpression: rest.includes(' REMOVE ') ? `${rest}, #op` : `${rest} REMOVE #op`,
    ConditionExpression: `${input.ConditionExpression} AND :to = :to`,
  };
}

async function unlist(db: Database, quotaKey: string, condition: string, values?: Item): Promise<void> {
  const unlisting = {
    TableName: 'quotaCounters',
    Key: { pk: quotaKey },
    UpdateExpression: 'REMOVE sweepAt',
    ConditionExpression: condition,
    ...(values && { ExpressionAttributeValues: values }),
  };
  await db.send(new UpdateCommand(unlisting)).catch(() => undefined);
}

function inMonthOf(quotaKey: string, nowMs: number): string {
  const month = new Date(nowMs).toISOString();
  const [, account, test] = quotaKey.split('#');
  const window = test === 'test' ? `test#${month.slice(0, 13)}` : month.slice(0, 7);
  return `Q#${account}#${window}#held`;
}
