/**
 * AI images as they are stored: one item for each distinct image, and five conditional writes. An execution is one attempt
 * to make an image; its id (a ULID) is new with each `acquire`, so a write that names it can do nothing to another one.
 *
 *   absent, over, or its master gone ──acquire──▶ making ──begin, finish──▶ ready      any ──remove──▶ removed
 *                                                    └──fail──▶ failed (until its pause is over)
 *
 * `until` exists in `making` (the lease) and `failed` (the pause) only: where it has passed, anyone may acquire the image.
 */

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type DatabaseServices, type Item, read, readItem, type WriteResult, writeIf } from '../aws/dynamodb';
import type { IndexName } from '../contract/tables';
import { generationLeaseMs } from '../contract/timeouts';
import type { LibraryPath } from '../images/library-path';
import type { Size } from '../requests/rendition';
import { type ImageKey, imageIdOf } from './generation-identity';

/** Where a finished master lies, what made it, and its size. */
export interface Master extends Size {
  /** Path in the image library; contains the execution, so it is never written twice. */
  readonly path: LibraryPath;
  /** Name of the model that drew it. */
  readonly model: string;
}

/**
 * Why an execution has failed, and so the answer to those who waited for it. `not_started`: it was refused before the model
 * was asked, by a limit or because no generator could be started.
 */
export type FailureReason = 'content_refused' | 'upstream_unavailable' | 'not_started';

/** One AI image. */
export interface Generation {
  readonly key: ImageKey;
  readonly imageId: string;
  readonly state: 'making' | 'ready' | 'failed' | 'removed';
  /** The execution that makes it or has made it; absent once it was removed. */
  readonly execution?: string;
  /** While `making` and `failed`: moment (epoch, milliseconds) from which another execution may acquire it. */
  readonly untilMs?: number;
  /** While `failed`. */
  readonly why?: FailureReason;
  /** When `ready`. */
  readonly master?: Master;
}

/** What the stores of AI images need of `Services`. */
export interface GenerationServices extends DatabaseServices {
  readonly tables: { readonly generationIndex: string };
}

/** One attempt to make an image; `execution` is new for each. */
export interface Execution {
  readonly key: ImageKey;
  readonly execution: string;
}

/** How long an item without an image is kept, in milliseconds: late messages still find whose it is. */
const keptMs = 7 * 86_400_000;
/** What a limit has refused was never begun; there may be an item for each prompt that somebody invents. */
const refusedKeptMs = 3_600_000;

/**
 * How long a failed image is left alone, in milliseconds. What the safety filter refuses is refused tomorrow too: an hour
 * spares its cost.
 */
const pauseMs: Readonly<Record<FailureReason, number>> = {
  not_started: 0,
  upstream_unavailable: 30_000,
  content_refused: 3_600_000,
};

/** @returns strongly consistent; `undefined` where nobody has asked for the image. @throws `Outage` */
export async function readGeneration(
  services: GenerationServices,
  key: ImageKey,
): Promise<Generation | undefined> {
  const item = await readItem(services, keyed(services, key));
  return item && generationIn(item);
}

/**
 * Lets an execution make the image: one that nobody has asked for, whose lease or pause is over, or whose master is gone.
 * @param execution new for each acquisition
 * @param gone the execution whose master is missing from the image library
 * @returns `held`, also where an earlier copy of this very write has done it
 * @throws `Outage` when the outcome is unknown
 */
export async function acquire(
  services: GenerationServices,
  { key, execution }: Execution,
  gone = '-',
): Promise<'held' | 'taken'> {
  const now = services.clock.nowMs();
  const { applied, item } = await change(
    services,
    key,
    'SET #state = :making, execution = :execution, #until = :until, imageId = :imageId, #ttl = :ttl REMOVE run, why, master, look, listedAt',
    // `execution <> …`: a late copy of this write must not begin again what was failed, and given back, since.
    'attribute_not_exists(#state) OR (#until <= :now AND execution <> :execution) OR (#state = :ready AND execution = :gone)',
    {
      ...holder(execution),
      ...{ ':ready': 'ready', ':gone': gone, ':now': now, ':until': now + generationLeaseMs },
      ...{ ':imageId': imageIdOf(key), ':ttl': seconds(now + keptMs) },
    },
  );
  return applied || isIn(item, { state: 'making', execution }) ? 'held' : 'taken';
}

/**
 * Lets one run of an execution go on to the model: Lambda may deliver an event twice.
 * @param run new for each invocation
 * @returns false where another run has begun it, or the execution no longer holds the image
 * @throws `Outage` when the outcome is unknown
 */
export async function begin(
  services: GenerationServices,
  { key, execution }: Execution,
  run: string,
): Promise<boolean> {
  const values = { ...holder(execution), ':run': run };
  const { applied, item } = await change(services, key, 'SET run = :run', notBegun, values);
  return applied || isIn(item, { state: 'making', run });
}

/**
 * Makes the image known, once its master is stored.
 * @param look of a public image: under which `alt` finds it
 * @returns `lost` where another execution holds the image or it was removed: this one's master is of no use
 * @throws `Outage` when the outcome is unknown: the master may be shown, and stays
 */
export async function finish(
  services: GenerationServices,
  { key, execution }: Execution,
  master: Master,
  look?: string,
): Promise<'ready' | 'lost'> {
  // Executions are ULIDs, so `listedAt` sorts public images by age.
  const listed = look === undefined ? '' : ', look = :look, listedAt = :execution';
  const { applied, item } = await change(
    services,
    key,
    `SET #state = :ready, master = :master${listed} REMOVE #until, run, why, #ttl`,
    holds,
    { ...holder(execution), ':ready': 'ready', ':master': master, ...(listed && { ':look': look }) },
  );
  return applied || isIn(item, { state: 'ready', execution }) ? 'ready' : 'lost';
}

/**
 * Ends an execution without an image. A request may end its own (`not_started`) only before a run has begun it: what was
 * counted for it is free then, since no run can begin any more.
 * @returns whether this write, or an earlier copy of it, has ended it
 * @throws `Outage` when the outcome is unknown
 */
export async function fail(
  services: GenerationServices,
  { key, execution }: Execution,
  why: FailureReason,
): Promise<boolean> {
  const now = services.clock.nowMs();
  const isByRequest = why === 'not_started';
  const { applied, item } = await change(
    services,
    key,
    'SET #state = :failed, why = :why, #until = :until, #ttl = :ttl REMOVE run',
    isByRequest ? notBegun : holds,
    {
      ...holder(execution),
      ...{ ':failed': 'failed', ':why': why, ':until': now + pauseMs[why] },
      ':ttl': seconds(now + (isByRequest ? refusedKeptMs : keptMs)),
    },
  );
  return applied || isIn(item, { state: 'failed', execution, why });
}

/**
 * Takes the image down for good, whatever makes it.
 * @returns `none` where there is no such image: nothing is deleted then
 * @throws `Outage` when the outcome is unknown: its files may be shown, and must stay until it is known
 */
export async function remove(services: GenerationServices, key: ImageKey): Promise<'removed' | 'none'> {
  const { applied } = await change(
    services,
    key,
    'SET #state = :removed REMOVE execution, #until, run, why, master, look, listedAt, #ttl',
    'attribute_exists(#state)',
    { ':removed': 'removed' },
  );
  return applied ? 'removed' : 'none';
}

/**
 * Public images of the same words and style, oldest first. The index lags: the item itself says whether one is still there.
 * @param max so many at most
 * @throws `Outage`
 */
export async function listPublic(
  services: GenerationServices,
  look: string,
  max: number,
): Promise<readonly ImageKey[]> {
  return keysIn(services, 'publicByLook', 'look', look, max);
}

/** The image of a public id (32 hexadecimal digits). @throws `Outage` */
export async function findByImageId(
  services: GenerationServices,
  imageId: string,
): Promise<Generation | undefined> {
  const [key] = await keysIn(services, 'byImageId', 'imageId', imageId, 1);
  return key && readGeneration(services, key);
}

async function keysIn(
  services: GenerationServices,
  index: IndexName<'generationIndex'>,
  attribute: 'look' | 'imageId',
  value: string,
  max: number,
): Promise<readonly ImageKey[]> {
  const query = new QueryCommand({
    TableName: services.tables.generationIndex,
    IndexName: index,
    KeyConditionExpression: `${attribute} = :value`,
    ExpressionAttributeValues: { ':value': value },
    Limit: max,
  });
  const { Items = [] } = await read(services, query);
  return Items.map(({ pk }) => pk as ImageKey);
}

/** What is still made by the execution, and by nobody else. */
const holds = '#state = :making AND execution = :execution';
/** What no run of it has begun, beside that. */
const notBegun = `${holds} AND attribute_not_exists(run)`;
const holder = (execution: string) => ({ ':making': 'making', ':execution': execution });

function change(
  services: GenerationServices,
  key: ImageKey,
  UpdateExpression: string,
  ConditionExpression: string,
  ExpressionAttributeValues: Item,
): Promise<WriteResult> {
  const item = keyed(services, key);
  return writeIf(services, { ...item, UpdateExpression, ConditionExpression, ExpressionAttributeValues });
}

/** Whether an item stands as an earlier copy of a write has left it. */
function isIn(item: Item | undefined, wanted: Item): boolean {
  return Object.entries(wanted).every(([name, value]) => item?.[name] === value);
}

function keyed({ tables }: GenerationServices, key: ImageKey) {
  return { TableName: tables.generationIndex, Key: { pk: key } };
}

/** An item holds, beside these: the `run` that has begun it; of a public image that is ready, `look` and `listedAt`; its `ttl`. */
function generationIn({ pk, until, run: _, look: __, listedAt: ___, ttl: ____, ...item }: Item): Generation {
  return { ...item, key: pk, ...(until !== undefined && { untilMs: until }) } as Generation;
}

const seconds = (ms: number) => Math.ceil(ms / 1_000);
