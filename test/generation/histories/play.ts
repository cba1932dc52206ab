/** Plays a history of AI images, and judges each event by the promises of `breaches.ts`. */

import type { KeyedCaller } from '../../../lambda/credentials/caller';
import { identifyAiImage } from '../../../lambda/generation/ai-image-identity';
import type { AiRequest } from '../../../lambda/requests/image-request';
import type { Mistake, SeenWrite } from '../../fakes/faulty-world';
import { accountId, aiRequest } from '../../fakes/values';
import { ask, loseFiles, takeDownImage } from './actors';
import {
  breachesOfAnswers,
  breachesOfBills,
  breachesOfCalm,
  breachesOfCounters,
  breachesOfFiles,
  breachesOfItems,
  breachesOfLastItems,
  judge,
} from './breaches';
import type { Act, History } from './history';
import { type Asked, createScene, type Scene, skewOf } from './scene';

const monthMs = 31 * 86_400_000;

/** Plays a history, and returns the promises that it breaks. A `mistake` changes what the code sends. */
export async function findBrokenPromises(history: History, mistake?: Mistake): Promise<readonly string[]> {
  const scene = createScene(history, mistake, judgeWrite);
  const { world } = scene;
  for (const act of history.acts) world.at(history.startMs + act.afterMs, () => perform(scene, act));
  await world.run();
  judgeEnd(scene);
  await judgeCalm(scene);
  return [...scene.broken];
}

function judgeWrite(scene: Scene, write: SeenWrite): void {
  if (write.table === 'quotaCounters') judge(scene, breachesOfCounters, write);
  if (write.table === 'generationIndex') judge(scene, breachesOfItems, write);
}

function perform(scene: Scene, { does, account, instance, query, visibility }: Act): void {
  const caller: KeyedCaller = {
    ...{ kind: 'live', plan: 'pro' },
    account: accountId(`acc_${account}`),
    keyId: `key${account}`,
  };
  const request: AiRequest = { ...aiRequest, query, visibility };
  const { key } = identifyAiImage(request, caller, undefined);
  if (does === 'takes down') void takeDownImage(scene, key);
  else if (does === 'loses the master') loseFiles(scene, key);
  else {
    const variation = does === 'asks for a variation' && { variation: 1 };
    const alt = does === 'asks for an alternative' && { alt: 1 };
    scene.asked.push(ask(scene, caller, { ...request, ...variation, ...alt }, skewOf(scene, instance)));
  }
}

/** Judges answers, files and items after the last process has ended. */
function judgeEnd(scene: Scene): void {
  for (const asked of scene.asked) if (!asked.process.isDead) judge(scene, breachesOfAnswers, asked);
  for (const path of scene.files) judge(scene, breachesOfFiles, path);
  for (const item of scene.world.memory.items('generationIndex').values())
    judge(scene, breachesOfLastItems, item);
  for (const generationId of scene.billed) judge(scene, breachesOfBills, generationId);
}

/** Asks twice for each image of the history: two months later, while nothing fails. */
async function judgeCalm(scene: Scene): Promise<void> {
  const { world, wanted, removedMs } = scene;
  world.calm();
  world.skipTo(world.nowMs() + 2 * monthMs);
  for (const [key, { caller, request }] of wanted) {
    const { alt: _, ...plain } = request;
    const base = identifyAiImage(plain, caller, undefined).key;
    if (!world.memory.items('generationIndex').has(key) || removedMs.has(key) || removedMs.has(base))
      continue;
    let last: Asked | undefined;
    for (let time = 0; time < 2; time++) {
      last = ask(scene, caller, plain, 0);
      await world.run();
      world.skipTo(world.nowMs() + 60_000);
    }
    judge(scene, breachesOfCalm, last);
  }
}
