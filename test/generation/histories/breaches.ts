/** The promises of AI images. Each has a function that returns true when an event breaches it. */

import { requestBudgetMs } from '../../../lambda/contract/timeouts';
import { type ImageKey, makeImageId, parseImageKey } from '../../../lambda/generation/ai-image-identity';
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

type Breaches<Event> = Readonly<Record<string, (scene: Scene, event: Event) => boolean>>;

/** Notes the promises that an event breaches. */
export function judge<Event>(scene: Scene, breaches: Breaches<Event>, event: Event): void {
  for (const [promise, isBreached] of Object.entries(breaches))
    if (isBreached(scene, event)) scene.broken.add(promise);
}

/** Judged at each write of a counter. */
export const breachesOfCounters: Breaches<SeenWrite> = {
  'limits: no counter passes its limit': (_, write) =>
    changeOf(write) > 0 && Number(write.after['used']) > lastUnitOf(write) + 1,
  'charge: a unit comes back once, to its own counter': (scene, write) =>
    unitsOf(scene, write.by.group, write.pk) < 0 || Number(write.before?.['used'] ?? 0) + changeOf(write) < 0,
  'charge: a request takes one unit': (scene, { by, pk }) =>
    pk.startsWith('requests#') && unitsOf(scene, by.group, pk) > 1,
};

/** Judged at each write of an image's item. */
export const breachesOfItems: Breaches<SeenWrite> = {
  'take-down: a removed image stays removed': (_, { before = {}, after }) =>
    before['state'] === 'removed' && after['state'] !== 'removed',
  'item: a lease is taken over only after its end': ({ world, history }, write) =>
    isAcquisition(write) &&
    Number(write.before?.['untilMs'] ?? 0) > world.nowMs() + Math.max(0, ...history.skewsMs),
  'item: a whole image is not made again': ({ files }, write) =>
    isAcquisition(write) ? files.has(masterPathOf(write.before)) : isOfHolder(write) && isReady(write.before),
  'item: only its holder finishes or fails it': (_, write) =>
    isOfHolder(write) &&
    (write.before?.['state'] !== 'making' || write.before['generationId'] !== generationIdOf(write)),
  // A history may delete a master before the image is ready.
  'item: a ready image has its master': (scene, write) =>
    isFinish(write) && !isStoredOrLost(scene, write.after),
  'privacy: a private image is not listed': (_, { pk, after }) =>
    parseImageKey(pk as ImageKey).visibility === 'private' && after['wordsAndStyleHash'] !== undefined,
};
const isOfHolder = (write: SeenWrite) => !isAcquisition(write) && !isRemoval(write);
const isReady = (item: SeenWrite['before']) => item?.['state'] === 'ready';
const isStoredOrLost = ({ files, lostFiles }: Scene, item: Readonly<Record<string, unknown>>) =>
  files.has(masterPathOf(item)) || lostFiles.has(masterPathOf(item));

const monthCounter = /^generations#live#acc_\d#\d{4}-\d\d$/;
const dayCounters = [/^generations#live#acc_\d#\d{4}-\d\d-\d\d$/, /^generations#all#\d{4}-\d\d-\d\d$/];

/** Judged when the model is asked, with the generation. */
export const breachesOfModel: Breaches<string> = {
  'cost: a generation asks the model once': ({ timesAsked }, generationId) =>
    timesAsked.get(generationId) !== 1,
  'cost: a generation is counted before the model is asked': (scene, generationId) => {
    const { acquirers, timesAsked, billed, world } = scene;
    const group = acquirers.get(generationId) ?? '';
    // An unbilled generation is given back. The request may then have another image made.
    const generationIds = [...timesAsked.keys()].filter(
      (other) => acquirers.get(other) === group && (other === generationId || billed.has(other)),
    );
    const counters = world.isCalm() ? [monthCounter] : [monthCounter, ...dayCounters];
    return counters.some((counter) => unitsTaken(scene, group, counter) < generationIds.length);
  },
};
/** The units that a group has taken from all counters that match. */
const unitsTaken = ({ units }: Scene, group: string, counters: RegExp) =>
  [...(units.get(group) ?? [])].reduce((sum, [pk, taken]) => (counters.test(pk) ? sum + taken : sum), 0);

/** Judged at the end, for each request that has not crashed. */
export const breachesOfAnswers: Breaches<Asked> = {
  'answer: it comes within 25 s': (_, { tookMs }) => tookMs > requestBudgetMs,
  'charge: a key’s cap and its account count the same': (scene, asked) => {
    const [ofCap, ofAccount] = [asked.capCounter, asked.accountCounter].map((counter) =>
      unitsOf(scene, asked.process.group, counter),
    ) as [number, number];
    return isPaymentKnown(asked) && (ofCap < ofAccount || (ofCap > ofAccount && scene.world.faults() === 0));
  },
  'charge: a request without an image costs nothing': (scene, asked) =>
    isPaymentKnown(asked) &&
    asked.answer?.outcome !== 'served' &&
    (chargedUnits(scene, asked) !== 0 || paymentStateOf(asked) === 'charged'),
  'charge: a served request has paid one unit, or says that it is free': (scene, asked) => {
    if (!isPaymentKnown(asked) || asked.answer?.outcome !== 'served') return false;
    const allowed: Readonly<Record<string, number>> = { charged: 1, free: 0 };
    return allowed[paymentStateOf(asked) ?? ''] !== chargedUnits(scene, asked);
  },
  'item: an image is shown only after it was finished': (scene, asked) => {
    const location = locationOf(asked);
    if (location === undefined) return false;
    return (
      !shownImage(scene, asked) ||
      ![...scene.finished].some((generationId) => location.includes(generationId))
    );
  },
  'privacy: a private image is shown to its account only, with a signed URL': (scene, asked) => {
    const key = shownImage(scene, asked);
    if (!key || parseImageKey(key).visibility === 'public') return false;
    return parseImageKey(key).account !== asked.caller.account || !locationOf(asked)?.includes('Signature=');
  },
  'take-down: a removed image is not shown': (scene, asked) => {
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
    ? [...wanted.keys()].find((key) => makeImageId(key) === answer.image.imageId)
    : undefined;

/** Judged at the end, for each file in the image store. */
export const breachesOfFiles: Breaches<string> = {
  'take-down: no file of a removed image stays': (scene, path) =>
    isRemoved(scene, path) && isLeftOver(scene, path),
  'files: a master that is not shown is removed': (scene, path) =>
    !isRemoved(scene, path) && isLeftOver(scene, path),
};
const itemOfFile = ({ world, wanted }: Scene, path: string) => {
  const key = [...wanted.keys()].find((image) => path.includes(makeImageId(image))) ?? '';
  return world.memory.items('generationIndex').get(key);
};
const isRemoved = (scene: Scene, path: string) => itemOfFile(scene, path)?.['state'] === 'removed';
/** Returns true if a file is not shown, although every process that could have removed it ended as planned. */
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

/** Judged at the end, for each item of an image. */
export const breachesOfLastItems: Breaches<Readonly<Record<string, unknown>>> = {
  'files: a ready image has its master at the end': (scene, item) =>
    isReady(item) && !isStoredOrLost(scene, item),
};

/** Judged at the end, for each generation that the model bills. */
export const breachesOfBills: Breaches<string> = {
  'cost: a billed generation stays counted': (scene, generationId) =>
    unitsTaken(scene, scene.acquirers.get(generationId) ?? '', monthCounter) < 1,
};

/** Judged for the second of two requests that are sent while nothing fails. */
export const breachesOfCalm: Breaches<Asked | undefined> = {
  'progress: the second of two undisturbed requests is served': (_, asked) =>
    asked?.answer?.outcome !== 'served',
};
