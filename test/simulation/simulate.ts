/** Runs one seed: a history of requests under faults, then healing and sweeping, then the verdict. A pure function of the seed. */

import type { Telemetry } from '../../lambda/base/telemetry';
import type { Caller } from '../../lambda/credentials/caller';
import type { Answer } from '../../lambda/images/answer';
import { paidImageOf } from '../../lambda/quota/paid-images';
import type { Limit } from '../../lambda/quota/quota';
import { type CallerLimits, limitsOf, type RequestContext } from '../../lambda/quota/request-context';
import { performing } from './acts';
import {
  callerOf,
  imagesOf,
  type Outcome,
  plansOf,
  refusedWords,
  type ScriptedRequest,
  type SignedView,
  scriptOf,
  withSigners,
  withVariety,
} from './history';
import {
  type Actor,
  createActor,
  createRandom,
  createScheduler,
  type Random,
  type Scheduler,
} from './kernel';
import { createLedger } from './ledger';
import { createMemoryDynamoDb } from './memory-dynamodb';
import { createNetwork, type Faults, type Trace } from './network';
import { createReceipts } from './receipts';
import { createSetting, laterSetting, type Setting, swarmFaults } from './setting';
import type { Shelf } from './surroundings';
import { judge } from './verdict';
import { type Front, openFront, openGenerator, openOrphanSearch, openSweeper, type World } from './world';

export interface Simulated {
  readonly violations: readonly string[];
  /** Messages sent. */
  readonly calls: number;
  /** What requests ended in: `served`, a refusal's code, `error`, or `dead` with their instance. */
  readonly endings: readonly string[];
}

export interface SimulationOptions {
  /** What is not left to the seed. */
  readonly setting?: Partial<Setting>;
  /** Receives a trace, line by line. */
  readonly print?: Trace;
}

const sweepsMax = 8;
const signingSeed = 7_000_003;
const hourMs = 3_600_000;
/** Longer than any lease, any standstill and any time between two clocks. */
const recoveryMs = 600_000;
/** One history in so many ends with another request for each of its AI images. */
const askedAgainEvery = 5;
/** So many that a generator which fails by chance does not fail each time. */
const attemptsMax = 15;
/** How a request may end that finds its image once it comes again. */
const passing = new Set(['dead', 'error', 'generation_in_progress', 'too_many_generations']);

export async function simulate(
  seed: number,
  { setting: changes = {}, print }: SimulationOptions = {},
): Promise<Simulated> {
  const random = createRandom(seed);
  const signing = createRandom(seed + signingSeed);
  const drawn = createSetting(random);
  const setting = { ...drawn, ...laterSetting(signing, drawn), ...changes };
  const faults = swarmFaults(random, setting);
  const simulation = openSimulation(random, setting, faults, print);
  const { scheduler } = simulation;

  const signed = withSigners(scriptOf(random, setting), signing, setting);
  print?.(JSON.stringify(setting));
  const script = withVariety(signed, signing, setting);
  const images = script.flatMap(imagesOf);
  let atMs = 0;
  for (const [i, scripted] of script.entries()) {
    atMs += scripted.afterMs;
    const isDowngraded = setting.isDowngraded && i > script.length / 2;
    scheduler.after(atMs, () => simulation.ask(scripted, isDowngraded));
  }
  const lastsMs = atMs + 15_000;
  const everyMs = Math.max(setting.sweepEveryMs, lastsMs / sweepsMax);
  for (let loss = 0; loss < setting.losses; loss++)
    scheduler.after(signing.between(0, lastsMs), () => simulation.loseMaster(signing));
  for (let sweptMs = everyMs; sweptMs <= lastsMs; sweptMs += everyMs)
    scheduler.after(sweptMs, () => void simulation.sweep(setting.sweepsAheadMs).catch(() => undefined));

  await scheduler.runUntil(setting.startMs + lastsMs);
  faults.heal();
  print?.('healed');
  await scheduler.runUntil(scheduler.nowMs() + recoveryMs);
  await simulation.sweepUntilQuiet();
  // Messages that are hours late arrive after all, and whatever they leave behind is swept too.
  while (scheduler.nextMs() !== undefined) {
    await scheduler.runUntil(scheduler.nowMs() + 3 * hourMs);
    await simulation.removeOrphans();
  }
  await simulation.sweepUntilQuiet();
  const again = seed % askedAgainEvery === 0 ? await askAgain(simulation, images) : [];
  await simulation.sweepUntilQuiet();
  await scheduler.runUntil(scheduler.nowMs() + 3 * hourMs);
  await simulation.removeOrphans();
  const stuck = again.filter(({ isStuck }) => isStuck).map(({ scripted }) => scripted);
  return {
    violations: [
      ...simulation.violations(
        [...images, ...again.map(({ scripted }) => scripted)],
        script.map(({ act }) => act),
      ),
      ...stuck.map(({ requestId, request }) => `stuck: ${requestId} waits for ${request.query} for ever`),
    ],
    calls: faults.calls(),
    endings: images.map(({ requestId }) => endingOf(simulation.outcomes, requestId)),
  };
}

/** Requests every AI image again once all is well, until it is there or refused for good. */
async function askAgain(simulation: Simulation, script: readonly ScriptedRequest[]) {
  const { scheduler, outcomes } = simulation;
  const again: { readonly scripted: ScriptedRequest; readonly isStuck: boolean }[] = [];
  for (const earlier of script.filter(({ request }) => request.provider === 'ai')) {
    for (let attempt = 1, isOpen = true; isOpen && attempt <= attemptsMax; attempt++) {
      const { act: _, ...image } = earlier;
      const scripted = { ...image, requestId: `again-${again.length}`, budgetMs: 20_000 };
      simulation.ask(scripted);
      await scheduler.runUntil(scheduler.nowMs() + recoveryMs);
      isOpen = passing.has(endingOf(outcomes, scripted.requestId));
      again.push({ scripted, isStuck: isOpen && attempt === attemptsMax });
    }
  }
  return again;
}

function endingOf(outcomes: readonly Outcome[], requestId: string): string {
  const outcome = outcomes.find(({ scripted }) => scripted.requestId === requestId);
  if (!outcome) return 'dead';
  if (!outcome.answer) return 'error';
  return outcome.answer.outcome === 'served' ? 'served' : outcome.answer.refusal.code;
}

/** A simulated deployment at work. */
export interface Simulation {
  readonly scheduler: Scheduler;
  ask(scripted: ScriptedRequest, isDowngraded?: boolean): void;
  sweep(aheadMs: number): Promise<number>;
  /** Sweeps again and again until nothing is left to be settled. */
  sweepUntilQuiet(): Promise<void>;
  /** Takes some master out of the store, as an operator or the store itself may. */
  loseMaster(random: Random): void;
  /** Looks through all images for those that nothing names. */
  removeOrphans(): Promise<void>;
  /** Everything that is wrong by now. Final only after healing and sweeping. */
  violations(images: readonly ScriptedRequest[], acts: readonly ScriptedRequest['act'][]): readonly string[];
  readonly outcomes: readonly Outcome[];
}

const testLimit = 4;
const settledOnce = 'alarm: settled-once';
const generatorMs = 120_000;
const dayMs = 86_400_000;

export function openSimulation(
  random: Random,
  setting: Setting,
  faults: Faults,
  print: Trace | undefined,
): Simulation {
  const plans = plansOf(setting);
  const scheduler = createScheduler(setting.startMs);
  const trace = print && ((line: string) => print(`${scheduler.nowMs() - setting.startMs} ${line}`));
  const receipts = createReceipts();
  const ledger = createLedger(
    (quotaKey) =>
      quotaKey.includes('#test#')
        ? { limit: testLimit, cap: 10 }
        : { limit: plans.pro.monthlyRequests, cap: plans.pro.generationsAtOnce },
    receipts.limitOf,
  );
  const isStale = () => setting.indexLags && !faults.isHealed() && random.chance(0.3);
  const engine = createMemoryDynamoDb(ledger.watch, isStale, setting.pageMax);
  const shelf: Shelf = { images: new Map(), lost: new Set() };
  const alarms: string[] = [];
  const outcomes: Outcome[] = [];
  const views: SignedView[] = [];
  const running: Front[] = [];
  let actors = 0;

  const startActor = (role: string): Actor => {
    const skewMs = random.between(-setting.skewMaxMs, setting.skewMaxMs);
    const jumpMs = setting.clocksJump ? random.between(-100_000, 100_000) : 0;
    const jumpsMs = scheduler.nowMs() + random.between(0, 10_000);
    return createActor(scheduler, `${role}${actors++}`, (nowMs) =>
      faults.isHealed() ? 0 : skewMs + (nowMs > jumpsMs ? jumpMs : 0),
    );
  };
  const world: World = {
    scheduler,
    random,
    setting,
    network: createNetwork(scheduler, faults, engine, trace),
    shelf,
    receipts,
    telemetry: alarming(alarms, trace),
    refusedWords,
    drawings: [],
    announced: [],
    startActor,
    deliver(job) {
      const isLost = !faults.isHealed() && random.chance(setting.eventLossRate);
      const copies = setting.isCalm ? 1 : random.pick([1, 1, 1, 1, 1, 2]);
      const wire = JSON.stringify(job);
      for (let copy = isLost ? 1 : 0; copy < copies; copy++)
        scheduler.after(random.between(1, copy === 0 ? 60 : 60_000), () => {
          const actor = startActor('generator');
          trace?.(`${actor.name} gets ${job.lease.execution}`);
          const run = openGenerator(world, actor);
          run(JSON.parse(wire), actor.clock.nowMs() + generatorMs).catch((error: unknown) =>
            trace?.(`${actor.name} threw ${error}`),
          );
        });
    },
  };

  const sweep = (aheadMs: number): Promise<number> => {
    const actor = startActor('sweeper');
    trace?.(`${actor.name} sweeps`);
    return openSweeper(world, actor).all(actor.clock.nowMs() + aheadMs);
  };

  /** Lets time pass until something is done, or nothing can happen any more: then whoever did it is dead. */
  const passUntil = async <T>(work: Promise<T>): Promise<T | undefined> => {
    let done: { readonly value?: T } | undefined;
    work.then(
      (value) => {
        done = { value };
      },
      () => {
        done = {};
      },
    );
    while (!done && scheduler.nextMs() !== undefined) await scheduler.runUntil(scheduler.nowMs() + 1_000);
    return done?.value;
  };

  return {
    scheduler,
    outcomes,
    sweep,
    ask(scripted, isDowngraded = false) {
      let front = running[scripted.front];
      if (!front?.actor.isAlive()) {
        front = openFront(world, plans);
        running[scripted.front] = front;
      }
      trace?.(`${front.actor.name} is asked ${JSON.stringify(scripted)}`);
      void answer(front, scripted, isDowngraded).then((answered) => {
        for (const outcome of answered)
          trace?.(`${outcome.scripted.requestId} ends in ${outcome.error ?? JSON.stringify(outcome.answer)}`);
        outcomes.push(...answered);
      });
    },
    async sweepUntilQuiet() {
      for (let round = 0; round < 5; round++) {
        if ((await passUntil(sweep(dayMs))) === 0) return;
      }
    },
    loseMaster(from) {
      const masters = [...shelf.images.keys()].filter((path) => path.includes('/master.'));
      if (masters.length === 0) return;
      const path = from.pick(masters);
      trace?.(`${path} is lost`);
      shelf.images.delete(path);
      shelf.lost.add(path);
    },
    async removeOrphans() {
      await passUntil(openOrphanSearch(world, startActor('orphans'))());
    },
    violations: (images, acts) => [
      // Who read an operation before its image was settled and lost, or taken down, finds it settled the other way.
      ...alarms.filter((alarm) => !(shelf.lost.size > 0 || acts.includes('remove')) || alarm !== settledOnce),
      ...ledger.violations,
      ...judge({ engine, ledger, receipts, outcomes, views, world, script: images, acts }),
    ],
  };

  /** What became of each of the images that are asked for; none of what changes something alone. */
  async function answer(
    front: Front,
    scripted: ScriptedRequest,
    isDowngraded: boolean,
  ): Promise<readonly Outcome[]> {
    const { requestId, kind, isAnonymous, act = 'image', budgetMs } = scripted;
    const images = imagesOf(scripted);
    const nowMs = front.actor.clock.nowMs();
    const caller: Caller = isAnonymous ? { kind: 'anonymous' } : callerOf(scripted, isDowngraded);
    const limits = smallLimits(limitsOf(caller, { ipHash: scripted.account }, plans, nowMs), kind);
    const context: RequestContext = {
      ...limits,
      requestId,
      format: 'webp',
      deadlineMs: nowMs + budgetMs,
    };
    if (caller.kind !== 'anonymous' && caller.publishedAs) {
      const markKey = paidImageOf(caller, scripted.request, context.quota, nowMs).key;
      views.push({ scripted, markKey, wasPaid: engine.items('quotaCounters').get(markKey)?.['s'] === 'C' });
    }
    const known = {
      imageKeys: [...engine.items('generationIndex').keys()],
      picks: outcomes.flatMap(({ answer: given }) =>
        given?.outcome === 'served' && given.image.pick !== undefined ? [given.image] : [],
      ),
    };
    try {
      const answers = await performing[act]({ front, scripted, caller, context, known, random });
      return images.map((image, index) => outcomeOf(image, answers[index]));
    } catch (error) {
      return images.map((image) => ({ scripted: image, error }));
    }
  }

  function outcomeOf(scripted: ScriptedRequest, given: Answer | undefined): Outcome {
    if (!given) return { scripted };
    const path = given.outcome === 'served' ? given.image.location.split(':')[1] : undefined;
    return { scripted, answer: given, isThere: path !== undefined && shelf.images.has(path) };
  }

  /** Limits that few requests use up. */
  function smallLimits(limits: CallerLimits, kind: ScriptedRequest['kind']): CallerLimits {
    const small = (limit: Limit): Limit => ({ ...limit, limit: Math.min(limit.limit, setting.windowMax) });
    const { quota, credentialLimits, searches, freeDeliveries, renditions } = limits;
    const isSmall = kind === 'test' || quota.counter.kind === 'ip';
    return {
      quota: isSmall ? { ...quota, limit: testLimit } : quota,
      credentialLimits: credentialLimits.map(small),
      searches: searches.map(small),
      ...(freeDeliveries && { freeDeliveries: small(freeDeliveries) }),
      renditions: renditions.map(small),
    };
  }
}

function alarming(alarms: string[], trace: Trace | undefined): Telemetry {
  return {
    info: () => undefined,
    error: (message, error) => trace?.(`log: ${message} ${error ?? ''}`),
    count: (metric, dimensions?: Readonly<Record<string, string>>) => {
      if (metric === 'invariantBroken') alarms.push(`alarm: ${dimensions?.['invariant']}`);
    },
    time: () => undefined,
  };
}
