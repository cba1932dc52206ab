/** Limits what enters the local service: the throttles of the usage plans, and how many requests may begin at once. */

import { type Tier, tiers } from '../../lambda/contract/plans';
import { arrivalSkewMsMax } from '../../lambda/contract/timeouts';

/** A token bucket. */
export interface Throttle {
  /** Requests per second in the long run. */
  readonly rate: number;
  /** Requests at once. */
  readonly burst: number;
}

/** The usage plans of the API, one a tier. */
export interface UsagePlans {
  /** Value of the API Gateway key of each tier, as the authorizer has to name it. */
  readonly keys: Readonly<Record<Tier, string>>;
  /** `unknown` when no plan has such a key. */
  admit(usageIdentifierKey: string | null | undefined, nowMs: number): 'admitted' | 'throttled' | 'unknown';
}

interface Bucket extends Throttle {
  tokens: number;
  atMs: number;
}

/** @param throttle of every tier by itself */
export function createUsagePlans(throttle: Throttle): UsagePlans {
  const keys = Object.fromEntries(tiers.map((tier) => [tier, `local-usage-plan-key-${tier}`])) as Record<
    Tier,
    string
  >;
  const buckets = new Map(
    tiers.map((tier): [string, Bucket] => [keys[tier], { ...throttle, tokens: throttle.burst, atMs: 0 }]),
  );
  return {
    keys,
    admit(usageIdentifierKey, nowMs) {
      const bucket = buckets.get(usageIdentifierKey ?? '');
      if (!bucket) return 'unknown';
      const gained = (Math.max(0, nowMs - bucket.atMs) / 1_000) * bucket.rate;
      bucket.tokens = Math.min(bucket.burst, bucket.tokens + gained);
      bucket.atMs = nowMs;
      if (bucket.tokens < 1) return 'throttled';
      bucket.tokens -= 1;
      return 'admitted';
    },
  };
}

/** How many requests may begin at once: enough to keep the process busy. */
const beginnersMax = 32;
/** After this time, in milliseconds, a request counts as one that waits for something, and the next may begin. */
const beginnerForMs = 250;
/** How many requests may wait for their turn: each has it within the time that a deadline allows between arrival and start. */
const waitingMax = Math.floor(arrivalSkewMsMax / beginnerForMs) * beginnersMax;

/**
 * Runs work once it is its turn, in the order of the calls.
 * @returns false where its turn would come, or has come, later than its deadline allows
 */
type AdmissionGate = (work: () => Promise<void>) => Promise<boolean>;

/**
 * If all were let in at once, every call to a table would queue behind a thousand others and miss its deadline.
 * The gate never waits for work to end, so that many requests can wait for an image that is being made.
 */
export function createAdmissionGate(nowMs: () => number): AdmissionGate {
  const waiting: (() => void)[] = [];
  let beginners = 0;

  const enter = async () => {
    if (beginners < beginnersMax) beginners++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else beginners--;
  };

  return async (work) => {
    if (waiting.length >= waitingMax) return false;
    const calledMs = nowMs();
    await enter();
    let isBeginner = true;
    const moveOn = () => {
      if (isBeginner) leave();
      isBeginner = false;
    };
    const timer = setTimeout(moveOn, beginnerForMs);
    try {
      // A busy process is behind with its timers.
      if (nowMs() - calledMs > arrivalSkewMsMax) return false;
      await work();
      return true;
    } finally {
      clearTimeout(timer);
      moveOn();
    }
  };
}
