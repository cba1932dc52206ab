/** The scene of a history: the writes, files, requests and answers that promises are judged by. */

import type { KeyedCaller } from '../../../lambda/credentials/caller';
import type { ImageKey } from '../../../lambda/generation/ai-image-identity';
import type { Master } from '../../../lambda/generation/ai-image-store';
import type { AiRequest } from '../../../lambda/requests/image-request';
import type { Answer } from '../../../lambda/serving/answer';
import { createWorld, type Mistake, type Process, type SeenWrite } from '../../fakes/faulty-world';
import type { History } from './history';

/** A request of a caller, and its answer or error once there is one. */
export interface Asked {
  readonly process: Process;
  readonly caller: KeyedCaller;
  readonly beganMs: number;
  /** Counters of the account and of the key's own cap. */
  readonly accountCounter: string;
  readonly capCounter: string;
  /** Infinity until there is an answer. */
  tookMs: number;
  answer?: Answer;
  error?: unknown;
}

export interface Scene {
  readonly history: History;
  readonly mistake: Mistake | undefined;
  readonly world: ReturnType<typeof createWorld>;
  /** The promises that the history has broken. */
  readonly broken: Set<string>;
  /** Returns a new text at each call. */
  readonly unique: () => string;
  /** The units that each group has taken and not given back, by counter. A group is a request with its runs. */
  readonly units: Map<string, Map<string, number>>;
  /** Paths in the image store, and paths of files that the history has deleted. */
  readonly files: Set<string>;
  readonly lostFiles: Set<string>;
  /** By generation: the group that acquired it, its runs, and how often these asked the model. */
  readonly acquirers: Map<string, string>;
  readonly runs: Map<string, Process[]>;
  readonly timesAsked: Map<string, number>;
  /** Generations that the model bills, and generations that made their image ready. */
  readonly billed: Set<string>;
  readonly finished: Set<string>;
  readonly removedMs: Map<ImageKey, number>;
  /** The images that were asked for, each with a request for it. */
  readonly wanted: Map<ImageKey, { readonly caller: KeyedCaller; readonly request: AiRequest }>;
  readonly asked: Asked[];
}

/** Sets the scene of a history. @param judgeWrite is called with each write, after the scene has noted it */
export function createScene(
  history: History,
  mistake: Mistake | undefined,
  judgeWrite: (scene: Scene, write: SeenWrite) => void,
): Scene {
  let serial = 0;
  const onWrite = (write: SeenWrite): void => {
    if (write.table === 'quotaCounters') noteCounter(scene, write);
    if (write.table === 'generationIndex') noteItem(scene, write);
    judgeWrite(scene, write);
  };
  const scene: Scene = {
    history,
    mistake,
    world: createWorld(history.startMs, history.fates, onWrite, mistake),
    broken: new Set(),
    unique: () => String(serial++).padStart(4, '0'),
    units: new Map(),
    files: new Set(),
    lostFiles: new Set(),
    acquirers: new Map(),
    runs: new Map(),
    timesAsked: new Map(),
    billed: new Set(),
    finished: new Set(),
    removedMs: new Map(),
    wanted: new Map(),
    asked: [],
  };
  return scene;
}

function noteCounter({ units }: Scene, write: SeenWrite): void {
  const { group } = write.by;
  const groupUnits = units.get(group) ?? new Map<string, number>();
  units.set(group, groupUnits.set(write.pk, (groupUnits.get(write.pk) ?? 0) + changeOf(write)));
}

function noteItem({ acquirers, finished, removedMs, world }: Scene, write: SeenWrite): void {
  const generationId = generationIdOf(write);
  if (isAcquisition(write)) acquirers.set(generationId, write.by.group);
  if (isRemoval(write)) removedMs.set(write.pk as ImageKey, world.nowMs());
  if (isFinish(write)) finished.add(generationId);
}

const valuesOf = ({ input }: SeenWrite) => input.ExpressionAttributeValues ?? {};
/** The change of a counter by a write: 1 for a unit taken, -1 for a unit given back. */
export const changeOf = (write: SeenWrite) => (':minusOne' in valuesOf(write) ? -1 : 1);
export const lastUnitOf = (write: SeenWrite) => Number(valuesOf(write)[':last'] ?? Infinity);
export const generationIdOf = (write: SeenWrite) => valuesOf(write)[':generationId'] as string;
export const isAcquisition = (write: SeenWrite) => ':gone' in valuesOf(write);
export const isRemoval = (write: SeenWrite) => valuesOf(write)[':state'] === 'removed';
export const isFinish = (write: SeenWrite) => ':master' in valuesOf(write);

/** The units of one counter that a group has taken and not given back. */
export const unitsOf = ({ units }: Scene, group: string, counter: string) =>
  units.get(group)?.get(counter) ?? 0;

/** The path of the master in an image's item, or an empty text. */
export const masterPathOf = (item: Readonly<Record<string, unknown>> | undefined) =>
  (item?.['master'] as Master | undefined)?.path ?? '';

/** How far the clock of an instance is ahead, in milliseconds. */
export const skewOf = ({ history: { skewsMs } }: Scene, instance: number) =>
  skewsMs[instance % skewsMs.length] ?? 0;
