/** The protocol with single guards removed and steps taken in another order, each of which the simulation must detect. */

import {
  belatedCopies,
  clocksApart,
  copiesAndPauses,
  earlySweeps,
  lostImages,
  rush,
  type Setting,
} from './setting';

/** A change of the source: the file, the function in which it is made, what stands there, and what is put in its place. */
export type Edit = readonly [file: string, within: string, from: string, to: string];

export interface Mutant {
  readonly name: string;
  /** Beginning of the violation that gives it away. */
  readonly breaks: RegExp;
  /** Setting in which it soon does harm; by chance alone that may take thousands of seeds. */
  readonly setting: Partial<Setting>;
  readonly edits: readonly Edit[];
}

const charges = 'lambda/quota/dynamodb/charges.ts';
const counters = 'lambda/quota/dynamodb/quota-counters.ts';
const paidImages = 'lambda/quota/dynamodb/paid-images.ts';
const index = 'lambda/generation/dynamodb/generation-index.ts';
const lead = 'lambda/generation/lead-generation.ts';
const settling = 'lambda/generation/settle.ts';
const payment = 'lambda/serving/serve-once.ts';

const signed = { signedRate: 1, losses: 0 } as const;
const twoRuns = { drawFailureRate: 0.4, faultRate: 0, isCalm: false } as const;
const crashes = {
  isCalm: false,
  faultRate: 0.5,
  kinds: ['crash-before'],
  requests: 12,
  limit: 12,
  losses: 0,
} as const;
const pausedSweeps = { ...earlySweeps, kinds: ['pause', 'copy'] } as const;
const copiesOfClosing = {
  ...copiesAndPauses,
  labels: ['giveBackSurplus'],
  kinds: ['copy'],
  limit: 0,
  requests: 12,
} as const;
const lateSettling = {
  ...lostImages,
  kinds: ['copy', 'pause'],
  lateMaxMs: 10_000,
  sweepsAheadMs: 0,
  sweepEveryMs: 60_000,
  faultRate: 0.7,
} as const;
const lateReleases = {
  ...earlySweeps,
  lateMaxMs: 20_000,
  labels: ['release'],
  words: 2,
  cap: 0,
  limit: 12,
  requests: 12,
  gapMaxMs: 4_000,
  drawMaxMs: 4_000,
} as const;

const holds = 'st = :leased AND ex = :ex AND f = :f';
/** A part of a condition that always holds, and mentions the same values, as DynamoDB wants each to be used. */
function without(part: string): string {
  const values = [...new Set(part.match(/:\w+/g))].map((value) => `${value} = ${value}`);
  return `(${values.join(' AND ') || 'attribute_exists(pk) OR attribute_not_exists(pk)'})`;
}
/** A write that is conditioned on the lease, without a part of that condition. */
const notHolding = (within: string, part: string): Edit => [
  index,
  within,
  'ConditionExpression: holds',
  `ConditionExpression: '${holds.replace(part, without(part))}'`,
];

type Guard = readonly [
  file: string,
  within: string,
  part: string,
  breaks: RegExp,
  setting?: Partial<Setting>,
];

/** Parts of conditions, and what is violated without each. */
const guards: readonly Guard[] = [
  [index, 'acquireWrite', '#until < :now', /^calm/, rush],
  [charges, 'reservePlace', 'attribute_not_exists(#op)', /^(I2|operation)/],
  [charges, 'reservePlace', '(attribute_not_exists(wm) OR wm < :me)', /^I2/, belatedCopies],
  [charges, 'reservePlace', '(attribute_not_exists(held) OR held <= :heldMax)', /^cap/],
  [charges, 'grantUnit', '(attribute_not_exists(taken) OR taken <= :last)', /^I1/],
  [charges, 'grantUnit', '(attribute_not_exists(wm) OR wm < :me)', /^(U2|I5)/, belatedCopies],
  [charges, 'giveBackSurplus', '(attribute_not_exists(wm) OR wm < :newest)', /^watermark/, copiesOfClosing],
  [charges, 'settlingWrite', 'size(#op) > :letter', /^(operation|I1|sums)/],
  [charges, 'settlingWrite', '(attribute_not_exists(wm) OR wm < :wm)', /^watermark/, clocksApart],
  [
    counters,
    'addToItem',
    'attribute_not_exists(taken) OR taken <= :last',
    /^I1/,
    { limit: 1, isStockSure: true },
  ],
  [index, 'claimWrite', '(attribute_not_exists(claim) OR claim = :run)', /^claim/],
  [index, 'markSettledWrite', 'ex = :ex AND f = :f', /^settled/, lateSettling],
  [index, 'takeDeliveryWrite', 'attribute_exists(due)', /^due/, rush],
  [index, 'takeDeliveryWrite', 'ex = :ex', /^due/, lostImages],
  [paidImages, 'begin', 'attribute_not_exists(s) OR (s = :pending AND #by = :me)', /^once/, signed],
];

const inclusiveClaim: Edit = [
  index,
  'claimWrite',
  '(attribute_not_exists(claim) OR claim = :run)',
  without(':run'),
];
const inMonthOfArrival =
  'quotaKey: operation.quotaKey.replace(/\\d{4}-\\d\\d(?=#held)/, new Date(clock.nowMs()).toISOString().slice(0, 7))';

type Change = readonly [name: string, breaks: RegExp, setting: Partial<Setting>, ...edits: readonly Edit[]];

const changes: readonly Change[] = [
  [
    'an acquisition that takes a finished image',
    /^ready/,
    {},
    [index, 'acquireWrite', "'attribute_not_exists(st)", "'attribute_exists(s3) OR attribute_not_exists(st)"],
  ],
  [
    'an acquisition that keeps the fence',
    /^(fence|I3|I6|lease|claim)/,
    earlySweeps,
    [index, 'acquireWrite', 'if_not_exists(f, :zero) + :one', 'if_not_exists(f, :one) + :zero'],
  ],
  [
    'a reservation that is made before the lease is taken',
    /^I3/,
    { ...earlySweeps, kinds: ['pause'], labels: ['reserve', 'grant'], words: 1, drawFailureRate: 0.4 },
    [lead, 'lead', 'const acquired = await index.acquire(', 'const acquire = () => index.acquire('],
    [lead, 'lead', "if (acquired.outcome === 'taken') return", 'if (false) return'],
    [lead, 'lead', 'const { lease } = acquired;', ''],
    [
      lead,
      'lead',
      "if (reservation.outcome === 'reserved') {",
      `const { lease } = reservation.outcome === 'reserved' ? await acquire() : {};
      if (reservation.outcome === 'reserved' && !lease) throw new Error('Another execution has the lease');
      if (reservation.outcome === 'reserved') {`,
    ],
  ],
  [
    'a stale reservation that passes for a new one',
    /^I3/,
    clocksApart,
    [
      charges,
      'reservationIn',
      "return { outcome: 'stale' }",
      "return { outcome: 'reserved', prunable: [], overdue: [], taken: 0 }",
    ],
  ],
  [
    'a reservation in the month in which it arrives',
    /^(I3|alarm|operation)/,
    {
      startMs: Date.UTC(2026, 10, 30, 23, 59, 57),
      isCalm: false,
      faultRate: 0.2,
      kinds: ['pause', 'unanswered'],
    },
    [
      charges,
      'reserve',
      'await reservePlace(operation, limits)',
      `await reservePlace((operation = { ...operation, ${inMonthOfArrival} }), limits)`,
    ],
  ],
  [
    'a test key that spends units of the live counter',
    /^item/,
    {},
    [
      lead,
      'lead',
      'const operation = { quotaKey,',
      "const operation = { quotaKey: quotaKey.replace(/#test#(\\d{4}-\\d\\d)[^#]*/, '#$1'),",
    ],
  ],
  [
    'a unit that is granted before its place is reserved',
    /^(U1|U2|I5)/,
    belatedCopies,
    [
      charges,
      'reserve',
      'const reservation = await reservePlace(operation, limits);',
      `const early = grantingCounterKey(operation.quotaKey);
      if (early !== undefined && operation.cost > 0) {
        const grant = await grantUnit(deps, early, limits.quota, operation.execution);
        return grant.outcome === 'granted' ? reservePlace(operation, limits) : grant;
      }
      const reservation = await reservePlace(operation, limits);`,
    ],
  ],
  [
    'an ordinary charge that is sent again after a lost answer',
    /^I5/,
    {},
    [counters, 'charge', 'retryIfNotApplied', 'retryIdempotent'],
  ],
  [
    'a surplus that is given back twice',
    /^(U1|U2|I1|I5|alarm)/,
    {},
    [charges, 'giveBackSurplus', "equals('returned', returned)", "':returned = :returned'"],
  ],
  [
    'a counter that is read after the reservations',
    /^(U1|I5)/,
    copiesAndPauses,
    [
      charges,
      'giveBackSurplus',
      'const counter = (await readItem(db, TableName, { pk: counterKey })) ?? {};',
      '',
    ],
    [
      charges,
      'giveBackSurplus',
      'if (!reservations) return undefined;',
      'if (!reservations) return undefined; const counter = (await readItem(db, TableName, { pk: counterKey })) ?? {};',
    ],
  ],
  [
    'a counter that is closed over a unit granted meanwhile',
    /^(U2|I5)/,
    copiesAndPauses,
    [charges, 'giveBackSurplus', "equals('granted', granted)", "':granted = :granted'"],
  ],
  [
    'a counter that is never closed',
    /^(L1|U2|I5)/,
    belatedCopies,
    [charges, 'giveBackSurplus', "', wm = :newest'", "''"],
  ],
  [
    'reservations that stay in the sweeper’s index without holding anything',
    /^L1/,
    {},
    [charges, 'close', "'REMOVE sweepAt'", "'REMOVE nothing'"],
  ],
  [
    'reservations that leave the sweeper’s index while they hold places',
    /^sweepAt/,
    {},
    [charges, 'close', "if (closed?.['held'] !== 0) return;", ''],
    [charges, 'close', 'held = :none', ':none = :none AND attribute_exists(held)'],
    [charges, 'close', "numberIn(closed, 'begun')", '0'],
    [charges, 'close', "equals('begun', begun)", "':begun = :begun'"],
  ],
  [
    'reservations that leave the sweeper’s index though they have changed',
    /^U2/,
    copiesAndPauses,
    [charges, 'close', "equals('begun', begun)", "':begun = :begun'"],
  ],
  [
    'reservations that leave the sweeper’s index before they are balanced',
    /^(U2|I5)/,
    {},
    [
      charges,
      'close',
      'await giveBackSurplus(deps, counterKey, quotaKey)',
      'await readItem(db, tableName, { pk: quotaKey })',
    ],
  ],
  [
    'an image that is finished without its fence',
    /^(fence|I3)/,
    earlySweeps,
    notHolding('finalizeWrite', 'f = :f'),
  ],
  [
    'an image that is finished by the previous holder of the lease',
    /^(I3|I6|lease)/,
    earlySweeps,
    notHolding('finalizeWrite', 'ex = :ex AND f = :f'),
  ],
  [
    'an image that is finished without a lease',
    /^(I3|I6|lease)/,
    earlySweeps,
    notHolding('finalizeWrite', 'st = :leased'),
  ],
  [
    'a charge that is committed before the image is finished',
    /^(I4|operation)/,
    {},
    [
      index,
      'finalize',
      'const result',
      "if (db) return (await read(lease.key))?.fence === lease.fence ? 'ready' : 'fenced'; const result",
    ],
  ],
  [
    'an image that is made again and still marked settled',
    /^settled/,
    lostImages,
    [index, 'acquireWrite', 'settled = :no, ', ''],
    [index, 'acquireWrite', "':no': false,", ''],
    [index, 'finalizeWrite', 'settled = :settled', 'settled = if_not_exists(settled, :settled)'],
  ],
  [
    'an image that is given up before its charge is settled',
    /^evict/,
    lostImages,
    [index, 'markLostWrite', 'settled = :yes', ':yes = :yes'],
    [index, 'read', 'generationIn(item)', '{ ...generationIn(item), settled: true }'],
  ],
  [
    'a free image that waits for a charge to be settled',
    /^free/,
    {},
    [index, 'finalizeWrite', "':settled': !charged", "':settled': false"],
  ],
  [
    'a free image that owes a delivery',
    /^free/,
    {},
    [index, 'finalizeWrite', 'charged ?', 'true ?'],
    [index, 'finalizeWrite', '...(charged ?', '...(true ?'],
  ],
  [
    'a first delivery whose request does not know its own claim again',
    /^due/,
    {},
    [index, 'takeDelivery', "result.item?.['dueBy'] === requestId", 'false'],
  ],
  [
    'a commit in the month in which that happens',
    /^(L1|I5|alarm|operation)/,
    {},
    [charges, 'reserve', "settle(operation, 'C'", `settle({ ...operation, ${inMonthOfArrival} }, 'C'`],
  ],
  [
    'a charge that is given back to the month in which that happens',
    /^(L1|I5|operation)/,
    {},
    [charges, 'refund', "settle(operation, 'R'", `settle({ ...operation, ${inMonthOfArrival} }, 'R'`],
  ],
  [
    'a settlement that leaves no entry behind',
    /^I2/,
    belatedCopies,
    [
      charges,
      'settlingWrite',
      "].join('')",
      `].join('').concat(to === 'C' ? '' : gone.length === 0 ? ' REMOVE #op' : ', #op')
        .replace(to === 'C' ? '' : '#op = :to, ', '')`,
    ],
    [charges, 'settlingWrite', 'size(#op) > :letter', 'size(#op) > :letter AND :to = :to'],
  ],
  [
    'a settlement that prunes and leaves the watermark where it was',
    /^watermark/,
    {},
    [charges, 'settlingWrite', "[', wm = :wm']", '[]'],
  ],
  [
    'a settlement that prunes what is pending',
    /^(operation|L1)/,
    clocksApart,
    [
      charges,
      'reserve',
      "settle(operation, 'C', prunable)",
      `readItem(db, tableName, { pk: operation.quotaKey }).then((item) => {
        const pending = pendingIn(operation.quotaKey, item).map(({ execution }) => execution);
        return settle(operation, 'C', [...prunable, ...pending].sort());
      })`,
    ],
  ],
  [
    'a settlement that passes for done when it may not prune',
    /^(settled|I3|L1)/,
    clocksApart,
    [
      charges,
      'settle',
      "if (entry !== 'P')",
      "if (entry === 'P' && to === 'C') return 'settled'; if (entry !== 'P')",
    ],
  ],
  [
    'a free execution that costs a unit',
    /^(free|I5)/,
    {},
    [lead, 'lead', 'isFree ? 0 : imageCost', 'imageCost'],
  ],
  [
    'a free execution whose place stays counted as free',
    /^(I1|sums)/,
    {},
    [charges, 'settlingWrite', 'if_not_exists(heldFree, :zero) - :free', 'if_not_exists(heldFree, :free)'],
  ],
  [
    'a free place whose end the other way breaks the books',
    /^alarm/,
    { ...lostImages, kinds: ['pause'], labels: ['finalize'], variationRate: 0.7 },
    [
      charges,
      'alreadySettled',
      "if (cost === 0 && entry !== 'absent')",
      "if (entry === 'R' && to === 'C') telemetry.count('invariantBroken', { invariant: 'either-way' }); else if (cost === 0)",
    ],
  ],
  [
    'a failed run that gives back though it had finished',
    /^(I3|alarm)/,
    {},
    [index, 'finalize', "? 'ready' : 'fenced'", "? 'fenced' : 'fenced'"],
    [index, 'fail', "return 'ready'", "return 'fenced'"],
  ],
  [
    'two runs of one execution, of which the failed one gives back',
    /^(I3|alarm)/,
    twoRuns,
    inclusiveClaim,
    [index, 'fail', "return 'ready'", "return 'fenced'"],
  ],
  [
    'two runs of one execution, of which one fails the finished image',
    /^ready/,
    twoRuns,
    inclusiveClaim,
    notHolding('failWrite', 'st = :leased'),
  ],
  [
    'two runs of one execution, of which one gives back before it fails',
    /^(I3|alarm)/,
    twoRuns,
    inclusiveClaim,
    [
      settling,
      'failExecution',
      'const ended =',
      'if (charge?.cost > 0) await deps.charges.refund(charge, []); const ended =',
    ],
  ],
  [
    'a failure that ends whatever it meets',
    /^ready/,
    { ...earlySweeps, drawFailureRate: 0.4 },
    notHolding('failWrite', holds),
  ],
  [
    'a release that ends whatever it meets',
    /^(ready|evict)/,
    lateReleases,
    [index, 'endLeaseWrite', ': holds', `: to === 'IDLE' ? '${without(holds)}' : holds`],
  ],
  [
    'a sweeper that takes a lease away which is no lease any more',
    /^(ready|evict)/,
    pausedSweeps,
    notHolding('endLeaseWrite', 'st = :leased'),
  ],
  [
    'a sweeper that gives back without taking the lease away',
    /^(I3|operation|alarm)/,
    {},
    [settling, 'one', 'await index.abandon({ key, execution, fence: generation.fence });', ''],
    [settling, 'one', 'await index.read(key)', "{ ...generation, state: 'ABANDONED' }"],
  ],
  [
    'a sweeper that does not read again after it has taken the lease away',
    /^I3/,
    { ...pausedSweeps, kinds: ['pause'], labels: ['byImageId', 'read', 'finalize'], requests: 12 },
    [settling, 'one', 'await index.read(key)', "{ ...generation, state: 'ABANDONED' }"],
  ],
  [
    'a sweeper that gives back what is finished',
    /^I3/,
    {},
    [settling, 'one', "if (generation && isBy(execution, 'READY', generation))", 'if (false)'],
  ],
  [
    'a sweeper that commits whatever is finished',
    /^I4/,
    { ...earlySweeps, kinds: ['pause'], words: 1 },
    [settling, 'one', "generation && isBy(execution, 'READY', generation)", "generation?.state === 'READY'"],
  ],
  [
    'an image in place of a miss whose lost refund does not pay for it',
    /^double/,
    { ...crashes, labels: ['giveBack'], kinds: ['unanswered'], varietyRate: 1 },
    ['lambda/serving/after-miss.ts', 'orGenerated', 'paidBy(answer, context)', 'context'],
  ],
  [
    'a rendition for a caller without a key that is counted nowhere',
    /^rendition/,
    { varietyRate: 1 },
    ['lambda/stock/serve-stock.ts', 'createServeStock', 'renditions.length > 0', 'false'],
  ],
  [
    'an image that was paid and is released',
    /^once/,
    signed,
    [payment, 'settle', 'paidImages.settle(image, holder)', 'paidImages.release(image, holder)'],
  ],
  [
    'a crashed payment that is begun anew',
    /^once/,
    signed,
    [payment, 'payUnlessPaid', 'await paidImages.settle(', 'await paidImages.release('],
  ],
];

export const mutants: readonly Mutant[] = [
  ...guards.map(([file, within, part, breaks, setting = {}]) => ({
    name: `${within} without ${part}`,
    breaks,
    setting,
    edits: [[file, within, part, without(part)] as const],
  })),
  ...changes.map(([name, breaks, setting, ...edits]) => ({ name, breaks, setting, edits })),
];
