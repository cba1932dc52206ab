/** The promises of AI images. Each has a function that returns true when an event breaks it. */

import type { Ids } from '../../../lambda/base/ids';
import { requestBudgetMs } from '../../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import { type ImageKey, parseImageKey } from '../../../lambda/generation/ai-image-identity';
import type { Master } from '../../../lambda/generation/ai-image-store';
import { findPaymentOfError } from '../../../lambda/quota/payment';
import type { Answer } from '../../../lambda/serving/answer';
import type { createWorld, Process, SeenWrite } from '../../fakes/faulty-world';
import type { Item } from '../../fakes/memory-database';
import type { History } from './history';

/** A request of a caller, and its answer or error once there is one. */
export interface AskedRequest {
  readonly process: Process;
  readonly caller: KeyedCaller;
  /** Counter of the account's requests. */
  readonly counter: string;
  /** Infinity until there is an answer. */
  tookMs: number;
  answer?: Answer;
  error?: unknown;
}

/** What promises are judged by. */
export interface Scene {
  readonly history: History;
  readonly keepsFiles: boolean;
  readonly ids: Ids;
  readonly world: ReturnType<typeof createWorld>;
  /** The promises that the history has broken. */
  readonly broken: Set<string>;
  /** Units that were taken and not given back, by the name of a request and its runs, and the counter. */
  readonly units: Map<string, number>;
  /** Paths in the image store, and paths of files that were deleted. */
  readonly files: Set<string>;
  readonly lostFiles: Set<string>;
  /** By generation: the name of the request that acquired it, its runs, and how often these asked the model. */
  readonly acquirers: Map<string, string>;
  readonly runs: Map<string, readonly Process[]>;
  readonly timesAsked: Map<string, number>;
  /** Generations that the model bills, and generations that made their image ready. */
  readonly billed: Set<string>;
  readonly finished: Set<string>;
  readonly requests: AskedRequest[];
}

type Promises<Event> = Readonly<Record<string, (scene: Scene, event: Event) => boolean>>;

function checkPromises<Event>(scene: Scene, promises: Promises<Event>, event: Event): void {
  for (const [promise, isBroken] of Object.entries(promises))
    if (isBroken(scene, event)) scene.broken.add(promise);
}

/** Notes and judges a write of a table. */
export function noteWrite(scene: Scene, write: SeenWrite): void {
  const { table, by, pk } = write;
  if (table === 'quotaCounters') {
    scene.units.set(`${by.name} ${pk}`, getUnits(scene, by.name, pk) + getChange(write));
    checkPromises(scene, promisesOfCounters, write);
  }
  if (table !== 'generationIndex') return;
  if (isAcquisition(write)) scene.acquirers.set(getGenerationId(write), by.name);
  if (isFinish(write)) scene.finished.add(getGenerationId(write));
  checkPromises(scene, promisesOfItems, write);
}

const getValues = ({ input }: SeenWrite) => input.ExpressionAttributeValues ?? {};
const getChange = (write: SeenWrite) => (':minusOne' in getValues(write) ? -1 : 1);
const getGenerationId = (write: SeenWrite) => getValues(write)[':generationId'] as string;
const isAcquisition = (write: SeenWrite) => ':gone' in getValues(write);
const isFinish = (write: SeenWrite) => ':master' in getValues(write);
const isOfHolder = (write: SeenWrite) => !isAcquisition(write) && getValues(write)[':state'] !== 'removed';
const getMasterPath = (item: Item | undefined) => (item?.['master'] as Master | undefined)?.path ?? '';
const getUnits = ({ units }: Scene, name: string, counter: string) => units.get(`${name} ${counter}`) ?? 0;

const promisesOfCounters: Promises<SeenWrite> = {
  'limits: no counter passes its limit': (_, write) =>
    getChange(write) > 0 && Number(write.after['used']) > Number(getValues(write)[':last'] ?? Infinity) + 1,
  'charge: a unit comes back once, to its own counter': (scene, { by, pk }) =>
    getUnits(scene, by.name, pk) < 0,
  'charge: a request takes one unit': (scene, { by, pk }) =>
    pk.startsWith('requests#') && getUnits(scene, by.name, pk) > 1,
};

/** How far a clock is ahead at most. */
const skewMaxMs = 150_000;
const promisesOfItems: Promises<SeenWrite> = {
  'item: a removed image stays removed': (_, { before, after }) =>
    before?.['state'] === 'removed' && after['state'] !== 'removed',
  'item: a lease is taken over only after its end': ({ world }, write) =>
    isAcquisition(write) && Number(write.before?.['untilMs'] ?? 0) > world.nowMs() + skewMaxMs,
  'item: a whole image is not made again': ({ files }, write) =>
    isAcquisition(write) && files.has(getMasterPath(write.before)),
  'item: only its holder finishes or fails it': (_, write) =>
    isOfHolder(write) &&
    (write.before?.['state'] !== 'making' || write.before['generationId'] !== getGenerationId(write)),
  'item: a ready image has its master': (scene, { after }) =>
    after['state'] === 'ready' && !isStoredOrLost(scene, getMasterPath(after)),
  'privacy: a private image is not listed': (_, { pk, after }) =>
    parseImageKey(pk as ImageKey).visibility === 'private' && after['wordsAndStyleHash'] !== undefined,
};
const isStoredOrLost = ({ files, lostFiles }: Scene, path: string) => files.has(path) || lostFiles.has(path);

const monthCounter = /generations#live#acc_\d#\d{4}-\d\d$/;
const dayCounters = [/generations#live#acc_\d#\d{4}-\d\d-\d\d$/, /generations#all#\d{4}-\d\d-\d\d$/];
/** The units that a generation's request has taken from all counters that match. */
const sumUnitsTaken = ({ units, acquirers }: Scene, generationId: string, counters: RegExp) =>
  [...units]
    .filter(([name]) => name.startsWith(`${acquirers.get(generationId)} `) && counters.test(name))
    .reduce((sum, [, taken]) => sum + taken, 0);

/** Notes and judges that the model is asked. */
export function checkModelCall(scene: Scene, generationId: string, isBilled: boolean): void {
  const { timesAsked, billed } = scene;
  timesAsked.set(generationId, (timesAsked.get(generationId) ?? 0) + 1);
  checkPromises(scene, promisesOfModel, generationId);
  if (isBilled) billed.add(generationId);
}
const promisesOfModel: Promises<string> = {
  'cost: a generation asks the model once': ({ timesAsked }, generationId) =>
    timesAsked.get(generationId) !== 1,
  'cost: a generation is counted before the model is asked': (scene, generationId) => {
    const { acquirers, timesAsked, billed } = scene;
    // An unbilled generation is given back. The request may then have another image made.
    const generations = [...timesAsked.keys()].filter(
      (other) =>
        acquirers.get(other) === acquirers.get(generationId) && (other === generationId || billed.has(other)),
    );
    return [monthCounter, ...dayCounters].some(
      (counter) => sumUnitsTaken(scene, generationId, counter) < generations.length,
    );
  },
};

/** Judges answers, files and items after the last process has ended. */
export function checkEnd(scene: Scene): void {
  for (const askedRequest of scene.requests)
    if (!askedRequest.process.isDead) checkPromises(scene, promisesOfAnswers, askedRequest);
  checkPromises(scene, promisesAtEnd, undefined);
}

const promisesOfAnswers: Promises<AskedRequest> = {
  'answer: it comes within 25 s': (_, { tookMs }) => tookMs > requestBudgetMs,
  'charge: a served request has paid one unit or says that it is free, another costs nothing': (
    scene,
    { answer, error, process, counter },
  ) => {
    const state = (answer?.payment ?? findPaymentOfError(error))?.state;
    const units = getUnits(scene, process.name, counter);
    if (state === 'unknown') return false;
    if (answer?.outcome !== 'served') return units !== 0 || state === 'charged';
    return state === 'charged' ? units !== 1 : state !== 'free' || units !== 0;
  },
  'item: an image is shown only after it was finished': ({ finished }, askedRequest) =>
    askedRequest.answer?.outcome === 'served' &&
    ![...finished].some((generationId) => getLocation(askedRequest).includes(generationId)),
  'privacy: a private image is shown to its account only, with a signed URL': (scene, askedRequest) => {
    const { answer, caller } = askedRequest;
    const imageId = answer?.outcome === 'served' && answer.image.imageId;
    const item = [...listAiImages(scene)].find((other) => other['imageId'] === imageId);
    const { visibility, account } = parseImageKey(String(item?.['pk']) as ImageKey);
    return (
      visibility === 'private' &&
      (account !== caller.account || !getLocation(askedRequest).includes('Signature='))
    );
  },
};
const getLocation = ({ answer }: AskedRequest) => (answer?.outcome === 'served' ? answer.image.location : '');
const listAiImages = ({ world }: Scene) => world.memory.listItems('generationIndex').values();

const promisesAtEnd: Promises<undefined> = {
  'cost: a billed generation stays counted': (scene) =>
    [...scene.billed].some((generationId) => sumUnitsTaken(scene, generationId, monthCounter) < 1),
  'files: a ready image keeps its master': (scene) =>
    [...listAiImages(scene)].some(
      (item) => item['state'] === 'ready' && !isStoredOrLost(scene, getMasterPath(item)),
    ),
  'files: a master that is not shown is removed': (scene) => {
    const isShown = (path: string) => [...listAiImages(scene)].some((item) => getMasterPath(item) === path);
    const isUndisturbed = ({ isDead, isDisturbed }: Process) => !isDead && !isDisturbed;
    return [...scene.runs].some(
      ([generationId, runs]) =>
        runs.every(isUndisturbed) &&
        [...scene.files].some(
          (path) => path.startsWith('masters/') && path.includes(generationId) && !isShown(path),
        ),
    );
  },
};
