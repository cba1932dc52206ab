/** Runs one seed: a history of requests under faults, then healing and sweeping, then the verdict. A pure function of the seed. */

import { type Outcome, scriptOf, withSigners } from './history';
import type { Trace } from './kernel/network';
import { createRandom } from './kernel/random';
import { swarmFaults } from './kernel/swarm-faults';
import { createSetting, type Setting, signedRateOf } from './setting';
import { openStage } from './stage';
import type { Mutation } from './world';

export interface Simulated {
  readonly violations: readonly string[];
  /** Messages sent. */
  readonly calls: number;
  /** What requests ended in: `served`, a refusal's code, `error`, or `dead` with their instance. */
  readonly endings: readonly string[];
}

export interface SimulationOptions {
  /** A guard to be taken away. */
  readonly mutation?: Mutation;
  /** What is not left to the seed. */
  readonly setting?: Partial<Setting>;
  /** Receives a trace, line by line. */
  readonly print?: Trace;
}

const sweepsMax = 8;
const signingSeed = 7_000_003;
const hourMs = 3_600_000;
/** Longer than any lease and any standstill. */
const recoveryMs = 300_000;

export async function simulate(
  seed: number,
  { mutation = {}, setting: changes = {}, print }: SimulationOptions = {},
): Promise<Simulated> {
  const random = createRandom(seed);
  const signing = createRandom(seed + signingSeed);
  const setting = { ...createSetting(random), signedRate: signedRateOf(signing), ...changes };
  const faults = swarmFaults(random, setting);
  const stage = openStage(random, setting, faults, mutation, print);
  const { scheduler } = stage;

  const script = withSigners(scriptOf(random, setting), signing, setting);
  let atMs = 0;
  for (const [i, scripted] of script.entries()) {
    atMs += scripted.afterMs;
    const isDowngraded = setting.isDowngraded && i > script.length / 2;
    scheduler.after(atMs, () => stage.ask(scripted, isDowngraded));
  }
  const lastsMs = atMs + 15_000;
  const everyMs = Math.max(setting.sweepEveryMs, lastsMs / sweepsMax);
  for (let sweptMs = everyMs; sweptMs <= lastsMs; sweptMs += everyMs)
    scheduler.after(sweptMs, () => void stage.sweep(setting.sweepsAheadMs).catch(() => undefined));

  await scheduler.runUntil(setting.startMs + lastsMs);
  faults.heal();
  print?.('healed');
  await scheduler.runUntil(scheduler.nowMs() + recoveryMs);
  await stage.sweepUntilQuiet();
  // Messages that are hours late arrive after all, and whatever they leave behind is swept too.
  while (scheduler.nextMs() !== undefined) {
    await scheduler.runUntil(scheduler.nowMs() + 3 * hourMs);
    await stage.removeOrphans();
  }
  await stage.sweepUntilQuiet();
  await scheduler.runUntil(scheduler.nowMs() + 3 * hourMs);
  await stage.removeOrphans();
  return {
    violations: stage.violations(script),
    calls: faults.calls(),
    endings: script.map(({ requestId }) => endingOf(stage.outcomes, requestId)),
  };
}

function endingOf(outcomes: readonly Outcome[], requestId: string): string {
  const outcome = outcomes.find(({ scripted }) => scripted.requestId === requestId);
  if (!outcome) return 'dead';
  if (!outcome.answer) return 'error';
  return outcome.answer.outcome === 'served' ? 'served' : outcome.answer.refusal.code;
}
