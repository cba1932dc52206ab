/** Every call of the charging protocol suffers every fault, and no charge is lost or doubled. */

import { lazily } from '../../lambda/base/lazily';
import type { ScriptedRequest } from '../simulation/history';
import { createRandom } from '../simulation/kernel';
import type { Message } from '../simulation/network';
import { openSimulation } from '../simulation/simulate';
import { aimedFaults, type Harm, harms, meansSomething } from './aimed-faults';
import { asking, plainSetting, type Story, stories } from './stories';

/** The methods of the two ports of the protocol, and of the marks of paid images; each must be met in some story. */
const portMethods = [
  ...['reserve', 'commit', 'refund', 'pendingOf', 'itemsDue'],
  ...['read', 'acquire', 'claim', 'finalize', 'markSettled', 'fail', 'release', 'abandon'],
  ...['takeDelivery', 'publicOf'],
  ...['readPaid', 'beginPaying', 'settlePaid', 'releasePaid'],
];
const unitsTaken = new Set(['charge', 'giveBack']);
const hourMs = 3_600_000;

jest.setTimeout(60_000);

interface Outcome {
  readonly sent: readonly Message[];
  readonly wrong: readonly string[];
}

/** Runs a scenario with one fault, then heals, sweeps, requests each of its images once more, and looks for orphans. */
async function tell(story: Story, target?: number, harm?: Harm): Promise<Outcome> {
  const faults = aimedFaults(target, harm);
  const setting = { ...plainSetting, ...story.setting };
  const simulation = openSimulation(createRandom(1), setting, faults, undefined);
  const { scheduler } = simulation;
  const script = story.scenes.flatMap((scene) => ('ask' in scene ? [scene.ask] : []));
  for (const scene of story.scenes)
    scheduler.after(scene.atMs, () => {
      if ('ask' in scene) simulation.ask(scene.ask);
      else void simulation.sweep(scene.sweepAheadMs).catch(() => undefined);
    });
  await scheduler.runUntil(setting.startMs + 200_000);
  const sent = [...faults.sent];
  faults.heal();
  await scheduler.runUntil(scheduler.nowMs() + 2 * hourMs);
  await simulation.sweepUntilQuiet();
  const again = script.map(
    ({ request, account, publishedAs }, i): ScriptedRequest => ({
      ...asking(`again-${i}`, {}, { account, budgetMs: 20_000, ...(publishedAs && { publishedAs }) }),
      request,
    }),
  );
  for (const scripted of again) {
    simulation.ask(scripted);
    await scheduler.runUntil(scheduler.nowMs() + 120_000);
  }
  await simulation.sweepUntilQuiet();
  await simulation.removeOrphans();
  const stuck = simulation.outcomes
    .filter(({ scripted }) => scripted.requestId.startsWith('again'))
    .filter(({ answer }) => answer?.outcome !== 'served' && answer?.refusal.code !== 'content_refused');
  return {
    sent,
    wrong: [
      ...simulation.violations([...script, ...again]).filter((violation) => !violation.startsWith('calm')),
      ...stuck.map(({ answer, error }) => `stuck: ${error ?? JSON.stringify(answer)}`),
      ...(simulation.outcomes.filter(({ scripted }) => again.includes(scripted)).length < again.length
        ? ['stuck: no answer']
        : []),
    ],
  };
}

/** Each story without a fault: which messages there are to suffer one. */
const plain = new Map(stories.map((story) => [story, lazily(() => tell(story))]));
const tellPlain = (story: Story) => (plain.get(story) as () => Promise<Outcome>)();

describe.each(stories.map((story) => [story.name, story] as const))('%s', (_, story) => {
  it('succeeds without faults', async () => {
    expect((await tellPlain(story)).wrong).toEqual([]);
  });

  it.each(harms.map((harm) => [harm.name, harm] as const))(
    'no charge is lost or doubled, whichever call %s',
    async (_name, harm) => {
      const { sent } = await tellPlain(story);
      const wrong: string[] = [];
      for (const [target, { label, isWrite }] of sent.entries()) {
        if (!meansSomething(harm, isWrite)) continue;
        // A plain addition has no answer to a copy of itself, and is never sent twice.
        if (unitsTaken.has(label) && (harm.fault.kind === 'twice' || harm.fault.kind === 'copy')) continue;
        const outcome = await tell(story, target, harm);
        wrong.push(...outcome.wrong.map((what) => `${target} ${label}: ${what}`));
      }
      expect(wrong).toEqual([]);
    },
  );
});

it('every method of these ports is met in some story', async () => {
  const met = new Set<string>();
  for (const story of stories) for (const { label } of (await tellPlain(story)).sent) met.add(label);
  expect(portMethods.filter((method) => !met.has(method))).toEqual([]);
});
