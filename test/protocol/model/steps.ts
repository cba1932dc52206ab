/** The protocol's table: each step as its condition, its write, and the result of a failed condition. */
import type { Configuration } from './configurations';
import type { Message } from './messages';
import { guard, type Rules } from './rules';
import { recordFinalize, recordReserve } from './state/ghosts';
import { at, Entry, type Generation, type Quota, St, Step, type World } from './state/world';

const { clz32 } = Math;

/** Answers a nondeterministic question: a number below the bound. */
export type Pick = (bound: number) => number;

/** One conditional write. `failure` reads the item as the engine returns it when the condition does not hold. */
export interface ProtocolStep {
  readonly condition: (w: World, m: Message, pick: Pick) => boolean;
  readonly write: (w: World, m: Message) => void;
  readonly failure: (w: World, m: Message) => string;
}

/** The table for one configuration and one set of guards. */
export function protocolSteps(c: Configuration, on: Rules): Readonly<Record<number, ProtocolStep>> {
  const G = (w: World, m: Message): Generation => at(w.generations, at(c.operations, m.op - 1).generation);
  const Q = (w: World, m: Message): Quota => at(w.quotas, m.q);
  const isFree = (m: Message): boolean => at(c.operations, m.op - 1).free === true;
  /** Units that an operation costs: none for a free one, which only holds its place. */
  const cost = (m: Message): number => (isFree(m) && on.freeCostsNothing ? 0 : 1);
  const freePlaces = (m: Message): number => (isFree(m) && on.freeCostsNothing ? 1 : 0);
  const entry = (w: World, m: Message): number => at(Q(w, m).entries, m.op - 1);
  const absent = (e: number): boolean => e === Entry.none || e >= Entry.prunedPending;
  const pruned = (w: World, m: Message): boolean => absent(entry(w, m)) && Q(w, m).wm >= m.op;
  /** "LEASED, ex=me, f=mine", each part as far as its guard is in place. */
  const holds = (
    g: Generation,
    m: Message,
    st: boolean,
    ex: boolean,
    fence: boolean,
    state: number = St.leased,
  ): boolean => guard(st, g.st === state) && guard(ex, g.ex === m.op) && guard(fence, g.f === m.f);
  const readyMine = (w: World, m: Message): boolean => G(w, m).st === St.ready && G(w, m).ex === m.op;
  const highest = (bits: number): number => 32 - clz32(bits);

  /** The extra condition of a settle that prunes: it would raise the watermark. */
  const mayPrune = (w: World, m: Message): boolean =>
    m.extra === 0 || guard(on.watermarkOnlyRises, Q(w, m).wm < highest(m.extra));

  /** What both settling writes do beside the counters: leave a tombstone, remove older ones, raise the watermark. */
  const settle = (q: Quota, m: Message, to: number): void => {
    q.entries[m.op - 1] = on.settleKeepsTombstone ? to : to + (Entry.prunedPending - Entry.pending);
    for (let o = 0; o < q.entries.length; o++) {
      const e = at(q.entries, o);
      if ((m.extra >> o) & 1 && !absent(e)) q.entries[o] = e + (Entry.prunedPending - Entry.pending);
    }
    if (m.extra !== 0 && on.pruneRaisesWatermark) q.wm = highest(m.extra);
  };

  /** What a settle whose condition failed learns from the entry. */
  const settled = (w: World, m: Message, wanted: number): string => {
    const e = entry(w, m);
    if (e === wanted || pruned(w, m)) return 'already';
    // A place that cost nothing may have been given up either way.
    if (isFree(m) && on.freeSettlesEitherWay && (e === Entry.committed || e === Entry.refunded))
      return 'already';
    // Pending still, so only the condition of the pruning failed.
    if (e === Entry.pending) return on.settleWithoutPruning ? 'unpruned' : 'already';
    // A bare delete would leave nothing to tell "done" from "never was".
    return absent(e) && !on.settleKeepsTombstone ? 'already' : 'alarm';
  };

  const refund: ProtocolStep = {
    condition: (w, m) => guard(on.refundPending, entry(w, m) === Entry.pending) && mayPrune(w, m),
    write: (w, m) => {
      const q = Q(w, m);
      q.held -= 1;
      if (on.freeLeavesHeldFree) q.heldFree -= freePlaces(m);
      settle(q, m, Entry.refunded);
    },
    failure: (w, m) => {
      // A finalize whose answer was lost, then settled by the sweeper and evicted, looks like a lost lease to its
      // sender. So C is an alarm only while no image has been evicted.
      const evicted = w.evictions < c.evictions;
      return entry(w, m) === Entry.committed && evicted ? 'already' : settled(w, m, Entry.refunded);
    },
  };

  return {
    [Step.acquire]: {
      // `pick` stands for the clock: whether a lease has expired or a pause is over may be true at any time.
      condition: (w, m, pick) => {
        const g = G(w, m);
        if (g.st === St.idle || g.st === St.abandoned) return true;
        if (g.st === St.failed) return pick(2) === 1;
        if (g.st === St.ready) return !on.acquireSparesReady;
        return guard(on.acquireExNotMe, g.ex !== m.op) && guard(on.acquireAwaitsExpiry, pick(2) === 1);
      },
      write: (w, m) => {
        const g = G(w, m);
        g.st = St.leased;
        g.ex = m.op;
        if (on.acquireRaisesFence) {
          g.f += 1;
          g.finalizedBy = 0;
        }
        if (on.acquireClearsSettled) g.settled = 0;
        if (on.acquireClearsClaim) g.claim = 0;
      },
      failure: (w, m) => {
        const g = G(w, m);
        if (g.st === St.leased && g.ex === m.op) return 'mine';
        return g.st === St.ready ? 'serve' : 'follow';
      },
    },

    [Step.reserve]: {
      condition: (w, m) => {
        const q = Q(w, m);
        const setting = at(c.quotas, m.q);
        return (
          guard(on.reserveOnce, absent(entry(w, m))) &&
          guard(on.reserveAboveWatermark, q.wm < m.op) &&
          guard(on.reserveCap, q.held <= setting.cap - 1)
        );
      },
      write: (w, m) => {
        const q = Q(w, m);
        q.entries[m.op - 1] = Entry.pending;
        q.held += 1;
        q.heldFree += freePlaces(m);
        q.listed = 1;
        q.begun += 1;
        recordReserve(w, m.op);
      },
      failure: (w, m) => {
        const q = Q(w, m);
        const e = entry(w, m);
        if (e === Entry.pending) return 'mine';
        if (e === Entry.committed) return 'alarm';
        if (e === Entry.refunded || q.wm >= m.op) return on.reserveRefusedWhenSettled ? 'stale' : 'mine';
        return 'too_many_generations';
      },
    },

    [Step.grant]: {
      condition: (w, m) =>
        guard(on.grantLimit, Q(w, m).taken <= at(c.quotas, m.q).limit - 1) &&
        guard(on.grantAboveFloor, Q(w, m).floor < m.op),
      // Applied twice, it grants a unit that no operation owns: a later close gives it back.
      write: (w, m) => {
        Q(w, m).taken += 1;
        Q(w, m).granted += 1;
      },
      failure: (w, m) => (Q(w, m).floor >= m.op ? 'stale' : 'quota_exceeded'),
    },

    [Step.giveBack]: {
      condition: (w, m) =>
        guard(on.giveBackOnce, Q(w, m).returned === (m.extra & 15)) &&
        (m.op === 0 ||
          (guard(on.closeAsRead, Q(w, m).granted === m.extra >> 4) &&
            guard(on.floorOnlyRises, Q(w, m).floor < m.op))),
      write: (w, m) => {
        const q = Q(w, m);
        q.taken -= m.f;
        q.returned += m.f;
        if (m.op > 0 && on.closeRaisesFloor) q.floor = m.op;
      },
      failure: () => 'changed',
    },

    [Step.unlist]: {
      condition: (w, m) =>
        guard(on.unlistEmpty, Q(w, m).held === 0) && guard(on.unlistAsRead, Q(w, m).begun === m.extra),
      write: (w, m) => {
        Q(w, m).listed = 0;
      },
      failure: () => 'kept',
    },

    [Step.claim]: {
      condition: (w, m) => {
        const { claim } = G(w, m);
        const mine = holds(G(w, m), m, on.claimLease, on.claimLease, on.claimLease);
        return mine && guard(on.claimExclusive, claim === 0 || claim === m.extra);
      },
      write: (w, m) => {
        G(w, m).claim = m.extra;
      },
      failure: () => 'duplicate',
    },

    [Step.finalize]: {
      condition: (w, m) => holds(G(w, m), m, on.finalizeLeased, on.finalizeEx, on.finalizeFence),
      write: (w, m) => {
        const g = G(w, m);
        g.st = St.ready;
        if (isFree(m)) {
          g.settled = on.freeFinalizesSettled ? 1 : 0;
          g.q = 0;
          g.due = on.dueOnlyWhenCharged ? 0 : 1;
        } else {
          if (on.finalizeClearsSettled) g.settled = 0;
          g.q = m.q + 1;
          g.due = 1;
        }
        recordFinalize(w, g, m);
      },
      failure: (w, m) => (readyMine(w, m) ? 'mine' : 'fenced'),
    },

    [Step.commit]: {
      condition: (w, m) => guard(on.commitPending, entry(w, m) === Entry.pending) && mayPrune(w, m),
      write: (w, m) => {
        const q = Q(w, m);
        q.held -= 1;
        if (on.freeLeavesHeldFree) q.heldFree -= freePlaces(m);
        q.spent += cost(m);
        settle(q, m, Entry.committed);
      },
      failure: (w, m) => settled(w, m, Entry.committed),
    },

    [Step.mark]: {
      condition: (w, m) => holds(G(w, m), m, on.markReady, on.markEx, on.markFence, St.ready),
      write: (w, m) => {
        G(w, m).settled = 1;
      },
      failure: () => 'ignored',
    },

    [Step.fail]: {
      condition: (w, m) => holds(G(w, m), m, on.failLeased, on.failEx, on.failFence),
      write: (w, m) => {
        G(w, m).st = St.failed;
      },
      failure: (w, m) => (on.failSeesReadyMine && readyMine(w, m) ? 'ready' : 'fenced'),
    },

    [Step.refund]: refund,
    [Step.withdraw]: refund,

    [Step.release]: {
      condition: (w, m) => holds(G(w, m), m, on.releaseLeased, on.releaseEx, on.releaseFence),
      write: (w, m) => {
        G(w, m).st = St.idle;
      },
      failure: () => 'ignored',
    },

    [Step.abandon]: {
      condition: (w, m) => holds(G(w, m), m, on.abandonLeased, on.abandonEx, on.abandonFence),
      write: (w, m) => {
        G(w, m).st = St.abandoned;
      },
      failure: () => 'ignored',
    },

    [Step.takeDue]: {
      condition: (w, m) =>
        guard(on.dueTakenOnce, G(w, m).due === 1) && guard(on.dueNamesExecution, G(w, m).ex === m.op),
      write: (w, m) => {
        G(w, m).due = 0;
      },
      failure: () => 'taken',
    },

    [Step.pay]: {
      condition: (w, m) => guard(on.payLimit, Q(w, m).taken <= at(c.quotas, m.q).limit - 1),
      write: (w, m) => {
        const q = Q(w, m);
        q.taken += 1;
        q.paid += 1;
      },
      failure: () => 'quota_exceeded',
    },

    [Step.evict]: {
      condition: (w, m) => G(w, m).st === St.ready && guard(on.evictSettled, G(w, m).settled === 1),
      write: (w, m) => {
        const g = G(w, m);
        g.st = St.idle;
        g.due = 0;
        g.q = 0;
      },
      failure: () => 'kept',
    },
  };
}
