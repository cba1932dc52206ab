/** Marks of paid images in memory, with the calls that were made and outcomes that a test scripts. */

import type { PaidImages, PaidMark } from '../../lambda/quota/paid-images';

export interface FakePaidImages extends PaidImages {
  /** The calls in order. */
  readonly calls: readonly ('read' | 'begin' | 'settle' | 'release')[];
  /** The mark under a key. */
  markOf(key: string): PaidMark;
  /** From now on these calls throw. */
  fail(...calls: readonly ('read' | 'begin' | 'settle' | 'release')[]): void;
}

export function createFakePaidImages(): FakePaidImages {
  const marks = new Map<string, { mark: PaidMark; holder: string }>();
  const calls: ('read' | 'begin' | 'settle' | 'release')[] = [];
  let failing: readonly string[] = [];
  const markOf = (key: string): PaidMark => marks.get(key)?.mark ?? { state: 'absent' };
  const note = (name: (typeof calls)[number]) => {
    calls.push(name);
    if (failing.includes(name)) throw new Error(`The table did not answer ${name}`);
  };
  const isHeld = (key: string, holder: string) => {
    const mark = markOf(key);
    return mark.state === 'pending' && mark.holder === holder;
  };
  return {
    calls,
    markOf,
    fail: (...names) => {
      failing = names;
    },
    async read({ key }) {
      note('read');
      return markOf(key);
    },
    async begin({ key }, holder, endsMs) {
      note('begin');
      const mark = markOf(key);
      if (mark.state !== 'absent' && !isHeld(key, holder)) return mark;
      marks.set(key, { mark: { state: 'pending', holder, endsMs }, holder });
      return 'begun';
    },
    async mark({ key }) {
      if (markOf(key).state === 'absent') marks.set(key, { mark: { state: 'paid' }, holder: '' });
    },
    async settle({ key }, holder) {
      note('settle');
      const known = marks.get(key);
      if (known?.mark.state === 'paid') return known.holder === holder;
      if (!isHeld(key, holder)) return false;
      marks.set(key, { mark: { state: 'paid' }, holder });
      return true;
    },
    async release({ key }, holder) {
      note('release');
      if (isHeld(key, holder)) marks.delete(key);
    },
  };
}
