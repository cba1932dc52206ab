/** All possible next steps of a configuration, as numbered actors that each take one step. */
import type { Configuration } from './configurations';
import { deliveryActs, deliveryOf } from './delivery';
import { messageAt, removeAt } from './messages';
import { runnerSlots } from './participants';
import type { Rules } from './rules';
import { runnerActs, runnerOf } from './runner';
import { at, Step, type World } from './state/world';
import { type Pick, type ProtocolStep, protocolSteps } from './steps';
import { type SweeperStep, sweeperOf } from './sweeper';

/** The actors of one configuration under one set of guards. */
export interface Machine {
  readonly actors: number;
  /** Whether an actor may have a step to take; changes nothing. */
  readonly acts: (w: World, actor: number) => boolean;
  /** Lets an actor take the step that `pick` chooses; answers false, and changes no more than the trace, if that branch is closed. */
  readonly step: (w: World, actor: number, pick: Pick) => boolean;
  readonly sweep: SweeperStep;
}

const stepNames: readonly string[] = ['', ...Object.keys(Step)];

/** Assembles the actors of a configuration under a set of guards. */
export function machineOf(c: Configuration, on: Rules): Machine {
  const steps = protocolSteps(c, on);
  const slots = runnerSlots(c);
  const runner = runnerOf(c, on, steps, slots);
  const sweep = sweeperOf(c, on, steps);
  const delivery = deliveryOf(c, on, steps);
  const messages = c.retries + c.crashes + c.sweeperCopies;

  // Actors in order: runners, messages on their way, deliveries, sweeper, eviction of each generation, calendar.
  const firstMessage = slots.length;
  const firstDelivery = firstMessage + messages;
  const sweeper = firstDelivery + c.deliveries;
  const firstEviction = sweeper + 1;
  const calendar = firstEviction + c.generations;

  const acts = (w: World, actor: number): boolean => {
    if (actor < firstMessage) return runnerActs(c, w, actor);
    if (actor < firstDelivery) {
      const i = actor - firstMessage;
      // The second of two equal messages leads nowhere that the first does not.
      return at(w.flight, i) !== 0 && (i === 0 || at(w.flight, i) !== at(w.flight, i - 1));
    }
    if (actor < sweeper) return deliveryActs(w, actor - firstDelivery);
    if (actor === sweeper) return true;
    if (actor < calendar) return w.evictions > 0;
    return c.rollover && w.clock === 0;
  };

  const arrive = (w: World, position: number, pick: Pick): boolean => {
    const m = messageAt(w, position);
    const step = steps[m.step] as ProtocolStep;
    w.actor = 'late message';
    w.action = `${stepNames[m.step]} of op ${m.op}`;
    // One that meets a failed condition is the same as one that never arrives.
    if (!step.condition(w, m, pick)) return false;
    removeAt(w, position);
    step.write(w, m);
    w.outcome = 'applied, response lost';
    return true;
  };

  const evict = (w: World, generation: number, pick: Pick): boolean => {
    const m = {
      step: Step.evict,
      op: c.operations.findIndex((o) => o.generation === generation) + 1,
      f: 0,
      q: 0,
      extra: 0,
    };
    const step = steps[Step.evict] as ProtocolStep;
    w.actor = 'eviction';
    w.action = `of image ${generation}`;
    if (!step.condition(w, m, pick)) return false;
    step.write(w, m);
    w.evictions -= 1;
    w.outcome = 'applied';
    return true;
  };

  const step = (w: World, actor: number, pick: Pick): boolean => {
    if (actor < firstMessage) {
      w.actor = at(slots, actor).name;
      w.action = at(stepNames, at(w.runners, actor).at);
      runner(w, actor, pick);
      return true;
    }
    if (actor < firstDelivery) return arrive(w, actor - firstMessage, pick);
    if (actor < sweeper) {
      w.actor = 'request for the image';
      return delivery(w, actor - firstDelivery, pick);
    }
    if (actor === sweeper) {
      w.actor = 'sweeper';
      return sweep(w, pick);
    }
    if (actor < calendar) return evict(w, actor - firstEviction, pick);
    w.actor = 'calendar';
    w.action = 'the next month begins';
    w.outcome = '';
    w.clock = 1;
    return true;
  };

  return { actors: calendar + 1, acts, step, sweep };
}
