/** Configurations that are explored in about a second, one per kind of fault. */
import { configuration } from './configurations';

const op = { quota: 0, generation: 0 };
const one = { limit: 1, cap: 9 };
const two = { limit: 2, cap: 9 };
const three = { limit: 3, cap: 9 };
const handedOff = { ...op, handedOff: true };
const refused = { ...op, refused: true };

/** By what they are about; each is exhausted with far fewer than a million states. */
export const small = {
  single: configuration('single', '1 operation, a lost answer', { operations: [op], retries: 1 }),
  plain: configuration('plain', '2 operations, nothing lost', {}),
  lost: configuration('lost', 'a lost answer', { quotas: [two], retries: 1 }),
  crash: configuration('crash', 'a crash', { crashes: 1 }),
  lostAndCrash: configuration('lost and crash', 'a lost answer and a crash', {
    quotas: [two],
    retries: 1,
    crashes: 1,
  }),
  evict: configuration('evict', 'an eviction, a lost answer and a crash', {
    quotas: [two],
    retries: 1,
    crashes: 1,
    evictions: 1,
  }),
  evictTwice: configuration('evict twice', 'two evictions', { quotas: [two], evictions: 2 }),
  prune: configuration('prune', 'pruning and a lost answer', { quotas: [two], retries: 1, prune: true }),
  pruneThree: configuration('prune three', 'pruning among 3 operations that are refused', {
    operations: [refused, refused, refused],
    quotas: [three],
    prune: true,
  }),
  copies: configuration('copies', 'a duplicated sweeper write', { quotas: [two], sweeperCopies: 1 }),
  close: configuration('close', 'a close', { quotas: [two], closings: 1 }),
  closeLost: configuration('close, lost', 'a close and a lost answer', {
    quotas: [two],
    retries: 1,
    closings: 1,
  }),
  closeCrash: configuration('close, crash', 'a close and a crash', {
    quotas: [two],
    crashes: 1,
    closings: 1,
  }),
  closeCopies: configuration('close, copies', 'two closes and a duplicated sweeper write', {
    quotas: [two],
    sweeperCopies: 1,
    closings: 2,
  }),
  closeStale: configuration('close, stale', 'two closes, one of them late, of operations that are refused', {
    operations: [refused, refused],
    crashes: 1,
    sweeperCopies: 1,
    closings: 2,
  }),
  handOff: configuration('hand-off', 'one event delivered twice', { operations: [handedOff] }),
  handOffBeside: configuration('hand-off beside', 'one event delivered twice, a competitor, a lost answer', {
    operations: [handedOff, op],
    retries: 1,
  }),
  cap: configuration('cap', '2 images, one pending at a time', {
    operations: [op, { quota: 0, generation: 1 }],
    quotas: [{ limit: 2, cap: 1 }],
    generations: 2,
    retries: 1,
  }),
  free: configuration('free', 'a free execution beside a charged one', {
    operations: [{ ...op, free: true }, op],
    quotas: [three],
    retries: 1,
    evictions: 1,
    deliveries: 1,
  }),
  rollover: configuration('rollover', 'the month ends meanwhile', {
    operations: [op, { quota: 1, generation: 0 }],
    quotas: [one, one],
    retries: 1,
    rollover: true,
  }),
  test: configuration('test', 'a test key in two hours beside a live key', {
    operations: [op, { quota: 1, generation: 1 }, { quota: 2, generation: 1 }],
    quotas: [one, one, one],
    generations: 2,
  }),
  due: configuration('due', 'a request for the image, an eviction and a lost answer', {
    quotas: [two],
    retries: 1,
    evictions: 1,
    deliveries: 1,
  }),
  dueTwice: configuration('due twice', '2 requests for the image and an eviction', {
    quotas: [two],
    evictions: 1,
    deliveries: 2,
  }),
  pay: configuration('pay', '3 requests for the image, and 2 units', {
    operations: [op],
    quotas: [two],
    deliveries: 3,
  }),
} as const;
