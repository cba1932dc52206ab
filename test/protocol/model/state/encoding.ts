/** Packs a world into fixed-width words and back; equal worlds have equal words, so the words are the state's identity. */
import type { Configuration } from '../configurations';
import { At, at, restingSweeper, type World } from './world';

/** The state before anything has happened; every request is about to take its first step. */
export function initialWorld(c: Configuration, first: number): World {
  const operations = c.operations.length;
  const runners = c.operations.map(() => ({ at: first, f: 0, prune: 0 }));
  const workers = c.operations.some((o) => o.handedOff)
    ? [0, 1].map(() => ({ at: At.waiting, f: 0, prune: 0 }))
    : [];
  return {
    generations: Array.from({ length: c.generations }, () => ({
      st: 0,
      ex: 0,
      f: 0,
      claim: 0,
      settled: 0,
      due: 0,
      q: 0,
      finalizedBy: 0,
    })),
    quotas: c.quotas.map(() => ({
      taken: 0,
      granted: 0,
      returned: 0,
      floor: 0,
      held: 0,
      heldFree: 0,
      spent: 0,
      wm: 0,
      listed: 0,
      begun: 0,
      entries: new Array<number>(operations).fill(0),
      paid: 0,
    })),
    runners: [...runners, ...workers],
    sweeper: restingSweeper(),
    deliveries: Array.from({ length: c.deliveries }, () => ({ at: 0, op: 0 })),
    flight: new Array<number>(c.retries + c.crashes + c.sweeperCopies).fill(0),
    reserved: new Array<number>(operations).fill(0),
    made: new Array<number>(operations).fill(0),
    freed: new Array<number>(operations).fill(0),
    funded: new Array<number>(operations).fill(0),
    clock: 0,
    retries: c.retries,
    crashes: c.crashes,
    sweeperCopies: c.sweeperCopies,
    closings: c.closings,
    evictions: c.evictions,
    breach: '',
    actor: '',
    action: '',
    outcome: '',
  };
}

/** Bytes that `writeWorld` fills. */
export function encodedBytes(w: World): number {
  return writeWorld(w, new Uint8Array(512));
}

/** Writes the stored items as `writeWorld` begins with; answers how many bytes it filled. */
export function writeItems(w: World, bytes: Uint8Array): number {
  let i = 0;
  for (const g of w.generations) {
    bytes[i++] = g.st | (g.settled << 3) | (g.due << 4) | (g.q << 5);
    bytes[i++] = g.ex | (g.f << 4);
    bytes[i++] = g.claim | (g.finalizedBy << 4);
  }
  for (const q of w.quotas) {
    bytes[i++] = q.taken | (q.held << 4);
    bytes[i++] = q.spent | (q.wm << 4) | (q.listed << 7);
    bytes[i++] = q.granted | (q.returned << 4);
    bytes[i++] = q.begun | (q.floor << 4);
    bytes[i++] = q.paid | (q.heldFree << 4);
    for (let o = 0; o < q.entries.length; o++) bytes[i++] = at(q.entries, o);
  }
  return i;
}

/** Writes the world into bytes, two small numbers to a byte where both stay below 16; answers how many bytes it filled. */
export function writeWorld(w: World, bytes: Uint8Array): number {
  let i = writeItems(w, bytes);
  for (const r of w.runners) {
    bytes[i++] = r.at;
    bytes[i++] = r.f | (r.prune << 4);
  }
  bytes[i++] = w.sweeper.todo | (w.sweeper.op << 5);
  bytes[i++] = w.sweeper.granted | (w.sweeper.returned << 4);
  bytes[i++] = w.sweeper.surplus | (w.sweeper.begun << 4);
  bytes[i++] = w.sweeper.f | (w.sweeper.prune << 4);
  bytes[i++] = w.sweeper.q | (w.sweeper.floor << 2) | (w.clock << 5);
  for (const d of w.deliveries) bytes[i++] = d.at | (d.op << 4);
  for (let m = 0; m < w.flight.length; m++) {
    bytes[i++] = at(w.flight, m) & 255;
    bytes[i++] = (at(w.flight, m) >> 8) & 255;
    bytes[i++] = at(w.flight, m) >> 16;
  }
  for (let o = 0; o < w.made.length; o++) {
    bytes[i++] = at(w.made, o) | (at(w.freed, o) << 3) | (at(w.reserved, o) << 4) | (at(w.funded, o) << 7);
  }
  bytes[i++] = w.retries | (w.crashes << 4);
  bytes[i++] = w.sweeperCopies | (w.evictions << 4);
  bytes[i++] = w.closings;
  return i;
}

/** Reads what `writeWorld` wrote, into a world of the same configuration. */
export function readWorld(w: World, bytes: Uint8Array): void {
  let i = 0;
  for (const g of w.generations) {
    const flags = bytes[i++] as number;
    const holder = bytes[i++] as number;
    const run = bytes[i++] as number;
    g.st = flags & 7;
    g.settled = (flags >> 3) & 1;
    g.due = (flags >> 4) & 1;
    g.q = flags >> 5;
    g.ex = holder & 15;
    g.f = holder >> 4;
    g.claim = run & 15;
    g.finalizedBy = run >> 4;
  }
  for (const q of w.quotas) {
    const counts = bytes[i++] as number;
    const rest = bytes[i++] as number;
    q.taken = counts & 15;
    q.held = counts >> 4;
    q.spent = rest & 15;
    q.wm = (rest >> 4) & 7;
    q.listed = rest >> 7;
    const units = bytes[i++] as number;
    q.granted = units & 15;
    q.returned = units >> 4;
    const ids = bytes[i++] as number;
    q.begun = ids & 15;
    q.floor = ids >> 4;
    const others = bytes[i++] as number;
    q.paid = others & 15;
    q.heldFree = others >> 4;
    for (let o = 0; o < q.entries.length; o++) q.entries[o] = bytes[i++] as number;
  }
  for (const r of w.runners) {
    r.at = bytes[i++] as number;
    const own = bytes[i++] as number;
    r.f = own & 15;
    r.prune = own >> 4;
  }
  const job = bytes[i++] as number;
  const counter = bytes[i++] as number;
  const close = bytes[i++] as number;
  const view = bytes[i++] as number;
  const item = bytes[i++] as number;
  w.sweeper.todo = job & 31;
  w.sweeper.op = job >> 5;
  w.sweeper.granted = counter & 15;
  w.sweeper.returned = counter >> 4;
  w.sweeper.surplus = close & 15;
  w.sweeper.begun = close >> 4;
  w.sweeper.f = view & 15;
  w.sweeper.prune = view >> 4;
  w.sweeper.q = item & 3;
  w.sweeper.floor = (item >> 2) & 7;
  w.clock = item >> 5;
  for (const d of w.deliveries) {
    const where = bytes[i++] as number;
    d.at = where & 15;
    d.op = where >> 4;
  }
  for (let m = 0; m < w.flight.length; m++)
    w.flight[m] = (bytes[i++] as number) | ((bytes[i++] as number) << 8) | ((bytes[i++] as number) << 16);
  for (let o = 0; o < w.made.length; o++) {
    const ghost = bytes[i++] as number;
    w.made[o] = ghost & 7;
    w.freed[o] = (ghost >> 3) & 1;
    w.reserved[o] = (ghost >> 4) & 7;
    w.funded[o] = ghost >> 7;
  }
  const tries = bytes[i++] as number;
  const extras = bytes[i++] as number;
  w.retries = tries & 15;
  w.crashes = tries >> 4;
  w.sweeperCopies = extras & 15;
  w.evictions = extras >> 4;
  w.closings = bytes[i++] as number;
  w.breach = '';
}
