/**
 * What must hold in every state that can be reached.
 *
 * - I1: 0 ≤ taken = ordinary requests + granted − returned ≤ limit; 0 ≤ heldFree ≤ held. `cap`: held ≤ the plan's cap on
 *   pending operations.
 * - I2: an operation takes its place, and what it costs, at most once.
 * - I3: READY by operation o means that o is P or C (perhaps pruned since), never R, never without an entry.
 * - I4: o is C only if o wrote READY.
 * - I5: at rest, `taken` without the surplus that a close will give back is the number of deliveries charged to that item.
 * - I6: at most one finalize for each (ex, f); noticed by the ghosts when it is written.
 * - U1: the units granted and not given back cover every operation that knows of its unit and is not refunded.
 * - U2: an item that no sweeper would find has no surplus.
 * - L1: an undisturbed sweeper settles everything that is pending, then closes each item.
 * - D1: at most one delivery of a charged execution is known to be free, and none of a free execution needs it.
 * - D2: `due` is gone only if some request was served free for it.
 * - alarm: no commit meets R, no refund meets C, no unsettled image lacks its quota item.
 */
import type { Configuration } from './configurations';
import {
  At,
  at,
  Delivery,
  Entry,
  ownedOf,
  type Quota,
  restingSweeper,
  St,
  Step,
  type World,
} from './state/world';
import type { SweeperStep } from './sweeper';

/** Names the invariant that a state breaks and how, or answers an empty string. */
export function brokenInvariant(c: Configuration, w: World): string {
  // Plain loops here and below: these lines run once for every state.
  for (let i = 0; i < w.quotas.length; i++) {
    const q = at(w.quotas, i);
    const { limit, cap } = at(c.quotas, i);
    const balances = q.taken === q.paid + q.granted - q.returned;
    const isSound = q.taken >= 0 && q.heldFree >= 0 && q.held >= q.heldFree && q.returned <= q.granted;
    if (!balances || !isSound) return `I1: ${figures(i, q)}`;
    if (q.taken > limit) return `I1: ${figures(i, q)}, limit ${limit}`;
    if (q.held > cap) return `cap: ${figures(i, q)}, cap ${cap}`;
    let funded = 0;
    for (let o = 0; o < q.entries.length; o++) {
      const e = at(q.entries, o);
      const isOwner = e === Entry.pending || e === Entry.committed || e === Entry.prunedCommitted;
      if (isOwner && at(w.funded, o) === 1) funded += 1;
      if ((e === Entry.committed || e === Entry.prunedCommitted) && at(w.made, o) === 0) {
        return `I4: operation ${o + 1} is charged and was never delivered`;
      }
    }
    if (q.granted - q.returned < funded) return `U1: ${figures(i, q)}, and ${funded} operations own a unit`;
    if (q.listed === 0 && q.granted - q.returned !== ownedOf(q))
      return `U2: ${figures(i, q)}, and is not listed`;
  }
  for (let o = 0; o < w.reserved.length; o++) {
    if (at(w.reserved, o) > 1) return `I2: operation ${o + 1} was reserved ${at(w.reserved, o)} times`;
  }
  for (const g of w.generations) {
    if (g.st !== St.ready) continue;
    const setting = at(c.operations, g.ex - 1);
    if (setting.free === true) continue;
    const e = at(at(w.quotas, setting.quota).entries, g.ex - 1);
    if (e !== Entry.pending && e !== Entry.committed && e !== Entry.prunedCommitted) {
      const refunded = e === Entry.refunded || e === Entry.prunedRefunded;
      return `I3: operation ${g.ex} is delivered but ${refunded ? 'refunded' : 'has no charge'}`;
    }
    // Requests that still wait for the answer to their removal may yet be served free.
    const open = w.deliveries.some((d) => d.at === Delivery.takeDue);
    if (g.due === 0 && at(w.freed, g.ex - 1) === 0 && !open) {
      return `D2: operation ${g.ex} owes nothing and its free delivery was never made`;
    }
  }
  return brokenAtRest(c, w);
}

function figures(item: number, q: Quota): string {
  return `item ${item} has taken ${q.taken}, granted ${q.granted}, returned ${q.returned}, held ${q.held} (${q.heldFree} free), spent ${q.spent}`;
}

/** I5: once no request runs and nothing is pending, the charged units equal the delivered images. */
function brokenAtRest(c: Configuration, w: World): string {
  for (const r of w.runners) {
    // One that has not asked for a lease or for a claim yet has nothing under way.
    if (r.at !== At.done && r.at !== At.waiting && r.at !== Step.acquire && r.at !== Step.claim) return '';
  }
  for (let i = 0; i < w.quotas.length; i++) {
    const q = at(w.quotas, i);
    if (q.entries.includes(Entry.pending)) continue;
    let delivered = q.paid;
    for (let o = 0; o < c.operations.length; o++) {
      const setting = at(c.operations, o);
      if (setting.quota === i && setting.free !== true) delivered += at(w.made, o);
    }
    const taken = q.taken - (q.granted - q.returned - ownedOf(q));
    if (taken !== delivered) return `I5: item ${i} at rest has taken ${taken}, delivered ${delivered}`;
  }
  return '';
}

/** Whether something is left to the sweeper: only then is there anything for L1 to ask. */
export function hasPending(w: World): boolean {
  return w.quotas.some((q) => q.listed === 1 || q.entries.includes(Entry.pending));
}

/**
 * L1: if every runner stopped here and one sweeper ran undisturbed, would it settle all that is pending? Changes the
 * world it is given.
 */
export function stuckOperation(c: Configuration, w: World, sweep: SweeperStep): string {
  const s = w.sweeper;
  Object.assign(s, restingSweeper());
  w.sweeperCopies = 0;
  w.closings = w.quotas.length;
  const operations = c.operations.length;
  for (const [q, item] of w.quotas.entries()) {
    for (let o = 0; o < operations; o++) {
      // Read, fence, read again, settle, once more without pruning, mark: six steps; two are spare.
      for (let i = 0; i < 8 && (s.todo !== 0 || at(item.entries, o) === Entry.pending); i++) {
        let first = true;
        const opened = sweep(w, () => {
          const choice = first && s.todo === 0 ? q * operations + o : 0;
          first = false;
          return choice;
        });
        if (!opened) break;
      }
      if (at(item.entries, o) === Entry.pending) return `L1: no sweep ever settles operation ${o + 1}`;
    }
    // Read the counter, read the reservations, give back, unlist.
    for (let i = 0; i < 4 && item.listed === 1; i++) {
      const close = w.quotas.length * operations + w.generations.length + q;
      sweep(w, () => (s.todo === 0 ? close : 0));
    }
    if (item.listed === 1) return `L1: no sweep ever closes item ${q}`;
  }
  return '';
}
