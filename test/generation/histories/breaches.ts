/** Names what breaches the promises of AI images, by the moment at which it is judged. */

import { requestBudgetMs } from '../../../lambda/contract/timeouts';
import { type ImageKey, imageIdOf, parseImageKey } from '../../../lambda/generation/ai-image-identity';
import { readPaymentOfError } from '../../../lambda/quota/payment';
import type { Process, SeenWrite } from '../../fakes/faulty-world';
import {
  type Asked,
  changeOf,
  generationIdOf,
  isAcquisition,
  isFinish,
  isRemoval,
  lastUnitOf,
  masterPathOf,
  type Scene,
  unitsOf,
} from './scene';

/** For each promise, whether an event breaches it. */
type Breaches<Event> = Readonly<Record<string, (scene: Scene, event: Event) => boolean>>;

/** Notes the promises that an event breaches. */
export function judge<Event>(scene: Scene, breaches: Breaches<Event>, event: Event): void {
  for (const [promise, isBreached] of Object.entries(breaches))
    if (isBreached(scene, event)) scene.broken.add(promise);
}

/** At each write of a counter. */
export const breachesOfCounters: Breaches<SeenWrite> = {
  'limits: no counter passes its limit': (_, write) =>
    changeOf(write) > 0 && Number(write.after['used']) > lastUnitOf(write) + 1,
  'charge: a unit comes back once, to its item': (scene, write) =>
    unitsOf(scene, write.by.group, write.pk) < 0 || Number(write.before?.['used'] ?? 0) + changeOf(write) < 0,
  'charge: a request takes one unit': (scene, { by, pk }) =>
    pk.startsWith('requests#') && unitsOf(scene, by.group, pk) > 1,
};

/** At each write of an image's item. */
export const breachesOfItems: Breaches<SeenWrite> = {
  'take-down: nothing undoes it': (_, { before = {}, after }) =>
    before['state'] === 'removed' && after['state'] !== 'removed',
  'item: a lease ends by some clock': ({ world, history }, write) =>
    isAcquisition(write) &&
    Number(write.before?.['untilMs'] ?? 0) > world.nowMs() + Math.max(0, ...history.skewsMs),
  'item: a whole image is not given up': ({ files }, write) =>
    isAcquisition(write) ? files.has(masterPathOf(write.before)) : isOfHolder(write) && isReady(write.before),
  'item: only its holder ends it': (_, write) =>
    isOfHolder(write) &&
    (write.before?.['state'] !== 'making' || write.before['generationId'] !== generationIdOf(write)),
  // A history may lose a master after it was stored, and before it is known.
  'item: what is ready is whole': (scene, write) => isFinish(write) && !isStoredOrLost(scene, write.after),
  'privacy: nothing private is listed': (_, { pk, after }) =>
    parseImageKey(pk as ImageKey).visibility === 'private' && after['wordsAndStyleHash'] !== undefined,
};
const isOfHolder = (write: SeenWrite) => !isAcquisition(write) && !isRemoval(write);
const isReady = (item: SeenWrite['before']) => item?.['state'] === 'ready';
const isStoredOrLost = ({ files, lostFiles }: Scene, item: Readonly<Record<string, unknown>>) =>
  files.has(masterPathOf(item)) || lostFiles.has(masterPathOf(item));

const monthCounter = /^generations#live#acc_\d#\d{4}-\d\d$/;
const dayCounters = [/^generations#live#acc_\d#\d{4}-\d\d-\d\d$/, /^generations#all#\d{4}-\d\d-\d\d$/];

/** When the model is asked, by its generation. */
export const breachesOfModel: Breaches<string> = {
  'cost: a generation asks the model once': ({ timesAsked }, generationId) =>
    timesAsked.get(generationId) !== 1,
  'cost: what is asked for is counted': (scene, generationId) => {
    const { acquirers, timesAsked, billed, world } = scene;
    const group = acquirers.get(generationId) ?? '';
    // What the model says it has not made is given back, and the request may have another image made.
    const generationIds = [...timesAsked.keys()].filter(
      (other) => acquirers.get(other) === group && (other === generationId || billed.has(other)),
    );
    const counters = world.isCalm() ? [monthCounter] : [monthCounter, ...dayCounters];
    return counters.some((counter) => unitsTaken(scene, group, counter) < generationIds.length);
  },
};
/** Units that a group has taken from all counters of a kind. */
const unitsTaken = ({ units }: Scene, group: string, counters: RegExp) =>
  [...(units.get(group) ?? [])].reduce((sum, [pk, taken]) => (counters.test(pk) ? sum + taken : sum), 0);

/** Of each request whose process has survived, at the end. */
export const breachesOfAnswers: Breaches<Asked> = {
  'answer: it comes within 25 s': (_, { tookMs }) => tookMs > requestBudgetMs,
  'charge: a cap and its account count alike': (scene, asked) => {
    const [ofCap, ofAccount] = [asked.capCounter, asked.accountCounter].map((counter) =>
      unitsOf(scene, asked.process.group, counter),
    ) as [number, number];
    return isPaymentKnown(asked) && (ofCap < ofAccount || (ofCap > ofAccount && scene.world.faults() === 0));
  },
  'charge: no image costs nothing': (scene, asked) =>
    isPaymentKnown(asked) &&
    asked.answer?.outcome !== 'served' &&
    (chargedUnits(scene, asked) !== 0 || paymentStateOf(asked) === 'charged'),
  'charge: served has paid one, or says free': (scene, asked) => {
    if (!isPaymentKnown(asked) || asked.answer?.outcome !== 'served') return false;
    const allowed: Readonly<Record<string, number>> = { charged: 1, free: 0 };
    return allowed[paymentStateOf(asked) ?? ''] !== chargedUnits(scene, asked);
  },
  'item: what is shown was finished': (scene, asked) => {
    const location = locationOf(asked);
    if (location === undefined) return false;
    return (
      !shownImage(scene, asked) ||
      ![...scene.finished].some((generationId) => location.includes(generationId))
    );
  },
  'privacy: private is its account’s, signed': (scene, asked) => {
    const key = shownImage(scene, asked);
    if (!key || parseImageKey(key).visibility === 'public') return false;
    return parseImageKey(key).account !== asked.caller.account || !locationOf(asked)?.includes('Signature=');
  },
  'take-down: it is shown no more': (scene, asked) => {
    const key = shownImage(scene, asked);
    return key !== undefined && (scene.removedMs.get(key) ?? Infinity) < asked.beganMs;
  },
};
const paymentStateOf = ({ answer, error }: Asked) => (answer?.payment ?? readPaymentOfError(error))?.state;
const isPaymentKnown = (asked: Asked) => paymentStateOf(asked) !== 'unknown';
const chargedUnits = (scene: Scene, { process, accountCounter }: Asked) =>
  unitsOf(scene, process.group, accountCounter);
const locationOf = ({ answer }: Asked) => (answer?.outcome === 'served' ? answer.image.location : undefined);
const shownImage = ({ wanted }: Scene, { answer }: Asked) =>
  answer?.outcome === 'served'
    ? [...wanted.keys()].find((key) => imageIdOf(key) === answer.image.imageId)
    : undefined;

/** Of each file that is in the image store at the end. */
export const breachesOfFiles: Breaches<string> = {
  'take-down: no file stays': (scene, path) => isRemoved(scene, path) && isLeftOver(scene, path),
  'files: a loser’s file goes': (scene, path) => !isRemoved(scene, path) && isLeftOver(scene, path),
};
const itemOfFile = ({ world, wanted }: Scene, path: string) => {
  const key = [...wanted.keys()].find((image) => path.includes(imageIdOf(image))) ?? '';
  return world.memory.items('generationIndex').get(key);
};
const isRemoved = (scene: Scene, path: string) => itemOfFile(scene, path)?.['state'] === 'removed';
/** Whether nobody shows a file, and all that could have removed it have come to their end. */
function isLeftOver(scene: Scene, path: string): boolean {
  const isRendition = path.endsWith('.webp');
  if (path === masterPathOf(itemOfFile(scene, path)) || (isRendition && !isRemoved(scene, path)))
    return false;
  const generationId = [...scene.acquirers.keys()].find((other) => path.includes(other)) ?? '';
  const makers = isRendition
    ? scene.asked.map(({ process }) => process)
    : (scene.runs.get(generationId) ?? []);
  return !makers.some(({ isDead, isUnsure }: Process) => isDead || isUnsure);
}

/** Of each item that is in the table at the end. */
export const breachesOfLastItems: Breaches<Readonly<Record<string, unknown>>> = {
  'files: the shown master is there': (scene, item) => isReady(item) && !isStoredOrLost(scene, item),
};

/** Of each generation that the model charges for, at the end. */
export const breachesOfBills: Breaches<string> = {
  'cost: what is billed stays counted': (scene, generationId) =>
    unitsTaken(scene, scene.acquirers.get(generationId) ?? '', monthCounter) < 1,
};

/** Of the last of several requests that were sent while nothing failed. */
export const breachesOfCalm: Breaches<Asked | undefined> = {
  'progress: a quiet second request is served': (_, asked) => asked?.answer?.outcome !== 'served',
};
