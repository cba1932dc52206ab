/** The invariants of a finished history, after healing and sweeping. */

import {
  generationIdentity,
  type ImageKey,
  imageIdOf,
  imageKeyOf,
  ownershipOf,
} from '../../lambda/generation/generation-identity';
import { grantingCounterKey } from '../../lambda/quota/quota';
import { renditionId } from '../../lambda/quota/request-context';
import type { Photo } from '../../lambda/stock/library/photo';
import { operatorImagesKey, type StoredOperatorImages } from '../../lambda/stock/operator-images';
import { accounts, callerOf, type Outcome, type ScriptedRequest, type SignedView } from './history';
import { countIn, type Ledger } from './ledger';
import type { MemoryDynamoDb } from './memory-dynamodb';
import { type Receipts, unitsOf } from './receipts';
import type { Shelf } from './surroundings';
import type { World } from './world';

/** Everything that is wrong, in words. */
export function judge(evidence: Evidence): readonly string[] {
  return [
    ...judgeBooks(evidence),
    ...judgeWindows(evidence),
    ...judgeRenditions(evidence),
    ...judgeTenants(evidence),
    ...judgeBatches(evidence),
    ...[...repeated(evidence.world.announced)].map((event) => `announced: ${event} twice`),
    ...judgeGenerations(evidence),
    ...judgePaid(evidence),
    ...judgeAnswers(evidence),
    ...judgeShelf(evidence),
    ...(evidence.world.setting.isCalm ? judgeCalm(evidence) : []),
  ];
}

/** Taken is what is owed: a unit for each image made, and for each ordinary request one at most, none too many. */
function judgeBooks({ engine, ledger, receipts, script }: Evidence): string[] {
  const wrong: string[] = [];
  for (const [pk, item] of engine.items('quotaCounters')) {
    if (!pk.startsWith('Q#')) continue;
    if (Number(item['held'] ?? 0) !== 0) wrong.push(`L1: ${pk} still holds ${item['held']}`);
    if (item['sweepAt'] !== undefined) wrong.push(`L1: ${pk} was never closed`);
    if (grantingCounterKey(pk) !== undefined) continue;
    const operations = [...ledger.operations.values()].filter(
      ({ quotaKey }) => quotaKey === pk || grantingCounterKey(quotaKey) === pk,
    );
    const charged = operations.filter(({ state, cost }) => state === 'C' && cost > 0).length;
    const [min, max] = script
      .map(({ requestId }) => unitsOf(receipts.of(requestId).charges, pk))
      .reduce(([fewest, most], [few, many]) => [fewest + few, most + many], [0, 0]);
    const ordinary = Number(item['taken']) - charged;
    if (ordinary < min || ordinary > max)
      wrong.push(`I5: ${pk} has ${ordinary} ordinary charges, between ${min} and ${max} are owed`);
  }
  return wrong;
}

/**
 * Every window beside the quota has counted what was taken and not given back. A set counts each id once, and may count
 * one again whose charge comes again after it was given back.
 */
function judgeWindows({ engine, receipts }: Evidence): string[] {
  const all = [...receipts.all()].map(({ charges, beside }) => [...charges, ...beside]);
  return [...engine.items('quotaCounters')].flatMap(([pk, item]) => {
    if (!/^(F|RL)#/.test(pk)) return [];
    const isSet = item['ops'] instanceof Set;
    const each = all.map((charges) => {
      const [fewest, most] = unitsOf(charges, pk);
      const isTaken = charges.some(({ quotaKey, outcome }) => quotaKey === pk && outcome !== 'refused');
      return isSet ? [Math.min(1, fewest), Number(isTaken)] : [fewest, most];
    });
    const min = sum(each.map(([fewest = 0]) => fewest));
    const max = sum(each.map(([, most = 0]) => most));
    const count = countIn(item);
    return count < min || count > max ? [`window: ${pk} holds ${count}, of ${min} to ${max} taken`] : [];
  });
}

/** Each image that was found for a caller without a key is counted as a rendition before. */
function judgeRenditions({ outcomes, receipts }: Evidence): string[] {
  const made = outcomes.flatMap(({ scripted: { isAnonymous, request }, answer }) =>
    isAnonymous && answer?.outcome === 'served' && answer.cache === 'MISS'
      ? [renditionId(request, 'webp')]
      : [],
  );
  return [...new Set(made)].flatMap((id) => {
    const of = made.filter((each) => each === id).length;
    const counted = receipts
      .of(id)
      .beside.filter(
        ({ counter, outcome }) => counter.includes('anonymous-') && outcome !== 'refused',
      ).length;
    return counted < of ? [`rendition: ${of} of ${id} were made and ${counted} counted`] : [];
  });
}

/** Nothing of one account is charged to the other. */
function judgeTenants({ receipts, script }: Evidence): string[] {
  return script.flatMap(({ requestId, account }) => {
    const { charges, beside } = receipts.of(requestId);
    const others = accounts.filter((other) => other !== account);
    return [...charges, ...beside]
      .filter(({ counter }) => others.some((other) => counter.includes(other)))
      .map(({ counter }) => `tenant: ${requestId} of ${account} charged ${counter}`);
  });
}

/** No batch shows a stock image twice. */
function judgeBatches({ outcomes }: Evidence): string[] {
  const shown = outcomes.flatMap(({ scripted: { slot, requestId }, answer }) =>
    slot !== undefined && answer?.outcome === 'served' && answer.image.source !== 'ai'
      ? [`${requestId.split('.')[0]} shows ${answer.image.pick}`]
      : [],
  );
  return [...repeated(shown)].map((twice) => `batch: ${twice} twice`);
}

function judgeGenerations({ engine, ledger, world, receipts, script }: Evidence): string[] {
  const wrong: string[] = [];
  for (const [pk, item] of engine.items('generationIndex')) {
    if (item['st'] !== 'READY') continue;
    const execution = String(item['ex']);
    const { state, cost = 0 } = ledger.operations.get(execution) ?? {};
    if (item['q'] !== undefined && state !== 'C') wrong.push(`I3: ${pk} is delivered and ${state}`);
    if (item['q'] === undefined && cost > 0) wrong.push(`free: ${pk} was charged`);
    const path = (item['s3'] as { readonly path: string }).path;
    if (!world.shelf.images.has(path) && !world.shelf.lost.has(path)) wrong.push(`lost: ${pk} has no image`);
    const takers = script.filter(({ requestId }) => {
      const receipt = receipts.of(requestId);
      return receipt.execution === execution && receipt.delivery === 'taken';
    });
    const claimedBy = item['dueBy'];
    if (claimedBy !== undefined) {
      const { delivery, execution: claimed } = receipts.of(String(claimedBy));
      if (delivery === 'missed' || (claimed !== execution && delivery !== 'open'))
        wrong.push(`due: ${pk} was delivered to ${claimedBy}, which does not know`);
    }
    if (takers.length > 1) wrong.push(`due: ${pk} was delivered free ${takers.length} times`);
    if (takers.length > 0 && item['due'] === true) wrong.push(`due: ${pk} was delivered and is still due`);
  }
  for (const [execution, { state }] of ledger.operations)
    if (state === 'C' && !ledger.finished.has(execution)) wrong.push(`I4: ${execution} has no image`);
  for (const execution of repeated(world.drawings.map((drawing) => drawing.execution)))
    wrong.push(`claim: ${execution} was drawn more than once`);
  return wrong;
}

function judgeAnswers(evidence: Evidence): string[] {
  const keys = new Map(
    [...evidence.engine.items('generationIndex').keys()].map(imageKeyOf).map((key) => [imageIdOf(key), key]),
  );
  return evidence.outcomes.flatMap((outcome) => judgeAnswer(outcome, evidence, keys));
}

/** Who was answered with what, and what it cost. @param keys of all generations, by their image's ID */
function judgeAnswer(
  { scripted, answer, isThere, error }: Outcome,
  evidence: Evidence,
  keys: ReadonlyMap<string, ImageKey>,
): string[] {
  const { requestId, request, account, kind, publishedAs, act } = scripted;
  const receipt = evidence.receipts.of(requestId);
  const [paidMin, paidMax] = unitsOf(receipt.charges);
  if (answer?.outcome !== 'served') {
    if (paidMin > 0) return [`refund: ${requestId} paid for nothing`];
    const isOwn = request.provider === 'ai' && request.variation === undefined && act === undefined;
    return isOwn && receipt.delivery === 'taken' && !isLost(evidence, receipt.execution)
      ? [`due: ${requestId} lost the delivery: ${error}`]
      : [];
  }
  // What a signer shows may be paid by another request: `judgePaid` sees to that.
  const wrong: string[] = [];
  if (answer.image.fallback === 'gone')
    return paidMin > 0 && receipt.delivery === 'none' ? [`card: ${requestId} paid for a card`] : [];
  if (request.provider !== 'ai' && answer.image.source !== 'ai')
    return paidMax > 0 || publishedAs ? [] : [`stock: ${requestId} paid nothing`];
  const key = keys.get(imageIdIn(answer.image.location));
  if (!isThere) wrong.push(`location: ${requestId} was sent to nothing`);
  if (key === undefined) return [...wrong, `location: ${requestId} got an image without an owner`];
  const owner = ownershipOf(key);
  // What is shown by its id, for a pick or a permalink, may be anybody's public image, and is paid by whoever asks for it.
  const isNamed = act === 'permalink' || request.provider !== 'ai';
  if (owner.mode !== kind && !(isNamed && owner.visibility === 'public'))
    wrong.push(`namespace: ${requestId} of a ${kind} key got ${key}`);
  if (owner.visibility === 'private' && owner.account !== account)
    wrong.push(`privacy: ${requestId} of ${account} got ${key}`);
  if (answer.image.location.startsWith('signed:') !== (owner.visibility === 'private'))
    wrong.push(`delivery: ${requestId} got ${answer.image.location}`);
  const caller = { kind, account, plan: 'free', keyId: 'k' } as const;
  const isOwnBase = isNamed || key === generationIdentity(request, caller, undefined).key;
  const { variation, alt } = request.provider === 'ai' && !isNamed ? request : {};
  const isFree = variation !== undefined || (alt !== undefined && owner.visibility === 'public');
  if (variation !== undefined && receipt.charges.length > 0)
    wrong.push(`free: ${requestId} paid for a variation`);
  // What could not be given back for an image that was lost is known to be paid.
  const [, keptMax] = unitsOf(receipt.charges.filter(({ refund }) => refund !== 'failed'));
  if (!isOwnBase && keptMax > 0) wrong.push(`free: ${requestId} paid for another's image`);
  const payments = paidMax + Number(receipt.delivery === 'taken');
  if (payments > 1) wrong.push(`double: ${requestId} paid ${payments} times`);
  // A request whose image was lost and made again has paid for the making, though another had the delivery.
  const isAgain = [...evidence.world.shelf.lost].some((path) => imageIdIn(path) === imageIdOf(key));
  if (payments === 0 && !isFree && !publishedAs && !isAgain) wrong.push(`gift: ${requestId} paid nothing`);
  return wrong;
}

/** Nothing is stored that no generation names. */
function judgeShelf({ engine, world }: Evidence): string[] {
  const used = new Set(
    [...engine.items('generationIndex').values()]
      .filter(({ st }) => st === 'READY' || st === 'REMOVED')
      .map(({ ex }) => String(ex)),
  );
  for (const path of world.shelf.lost) used.add(executionIn(path));
  const orphans = [...world.shelf.images.keys()].filter(
    (path) => !/^(?:stock|library)\//.test(path) && !used.has(executionIn(path)),
  );
  return [...orphans.map((path) => `orphan: ${path}`), ...missingPhotos(world.shelf, engine)];
}

/** Photographs that are listed and whose file, or whose part of the index, is not there. */
function missingPhotos({ images }: Shelf, engine: MemoryDynamoDb): string[] {
  const added = [...engine.items('images')].flatMap(([pk, { value }]) =>
    pk === operatorImagesKey && value !== undefined
      ? [JSON.parse(String(value)) as StoredOperatorImages]
      : [],
  );
  return added.flatMap(({ photos }) =>
    photos.flatMap((path) => {
      const index = images.get(path);
      if (!index) return [`photographs: ${path} is not there`];
      const listed = JSON.parse(Buffer.from(index.bytes).toString()) as readonly Photo[];
      return listed.flatMap((photo) =>
        images.has(photo.path) ? [] : [`photographs: ${photo.path} is listed`],
      );
    }),
  );
}

/** Whether the store has lost an execution's master: whoever finds that out claims its delivery and is owed another. */
function isLost({ world }: Evidence, execution: string | undefined): boolean {
  return [...world.shelf.lost].some((path) => executionIn(path) === execution);
}

/** The folders of a master or a rendition: the image's, and in it that of the execution which has stored it. */
const foldersIn = (path: string) => path.replace('public/ai/', 'public/').split('/').slice(1, 3);

const imageIdIn = (path: string): string => foldersIn(path)[0] ?? '';

const executionIn = (path: string): string => foldersIn(path)[1] ?? '';

/** Where nothing went wrong, nothing is uncertain: no fault, no unknown charge, one drawing for each finished image. */
function judgeCalm({ outcomes, script, acts, receipts, world, ledger, engine }: Evidence): string[] {
  const wrong: string[] = [];
  if (outcomes.length < script.length) wrong.push('calm: a request was never answered');
  for (const { scripted, error } of outcomes) {
    if (error && scripted.request.provider === 'ai')
      wrong.push(`calm: ${scripted.requestId} failed: ${error}`);
    if (receipts.of(scripted.requestId).charges.some(({ outcome }) => outcome === 'unknown'))
      wrong.push('calm: a charge is unknown');
  }
  const images = world.drawings.filter(({ isImage }) => isImage);
  for (const key of repeated(images.map((drawing) => drawing.key)))
    wrong.push(`calm: ${key} was drawn more than once`);
  const ready = [...engine.items('generationIndex').values()].filter(({ st }) => st === 'READY');
  if (ready.length !== ledger.finished.size && !acts.includes('remove'))
    wrong.push('calm: a finished image is gone');
  return wrong;
}

function repeated(all: readonly string[]): ReadonlySet<string> {
  return new Set(all.filter((one, i) => all.indexOf(one) !== i));
}

export interface Evidence {
  readonly engine: MemoryDynamoDb;
  readonly ledger: Ledger;
  readonly receipts: Receipts;
  readonly outcomes: readonly Outcome[];
  /** The requests that came with a signer. */
  readonly views: readonly SignedView[];
  readonly world: Pick<World, 'drawings' | 'shelf' | 'setting' | 'announced'>;
  /** The images that were asked for, and what the requests did. */
  readonly script: readonly ScriptedRequest[];
  readonly acts: readonly ScriptedRequest['act'][];
}

function judgePaid(evidence: Evidence): readonly string[] {
  const markKeys = new Set(evidence.views.map(({ markKey }) => markKey));
  const viewsOf = (key: string) => evidence.views.filter(({ markKey }) => markKey === key);
  return [
    ...evidence.views.flatMap((view) => judgeView(view, evidence)),
    ...[...markKeys].flatMap((markKey) => judgeMark(markKey, viewsOf(markKey), evidence)),
  ];
}

/** An image that is paid is never refused for a quota. */
function judgeView({ scripted, wasPaid }: SignedView, evidence: Evidence): string[] {
  const { outcomes, receipts } = evidence;
  const { requestId } = scripted;
  const wrong: string[] = [];
  const outcome = outcomes.find((each) => each.scripted === scripted);
  const answer = outcome?.answer;
  // A throttled counter refuses for a second, like any outage; only a window that is used up has a rate limit status.
  const refusal = answer?.outcome === 'refused' && 'rateLimit' in answer.refusal ? answer.refusal : undefined;
  // What the operator's ceilings and the providers allow bounds what is made, whoever has paid.
  const isForQuota = refusal !== undefined && !/^(generation|provider)/.test(refusal.use ?? '');
  if (wasPaid && isForQuota) wrong.push(`paid: ${requestId} was refused what is paid`);
  const { charges, delivery, execution } = receipts.of(requestId);
  const hasClaimed = delivery !== 'none' && !isLost(evidence, execution);
  if (wasPaid && (charges.length > 0 || hasClaimed)) wrong.push(`paid: ${requestId} paid for what is paid`);
  return wrong;
}

/** All requests of one mark together have cost one unit at most, whatever was lost, late or crashed. */
function judgeMark(markKey: string, views: readonly SignedView[], evidence: Evidence): string[] {
  const { receipts, world, outcomes } = evidence;
  const all = views.map(({ scripted }) => receipts.of(scripted.requestId));
  const most = sum(all.map((receipt) => unitsOf(receipt.charges)[1]));
  // Whoever finds a lost image claims its delivery before it is made again, which costs nothing where it is paid for.
  const claims = views.filter(({ scripted }) => {
    const { delivery, execution } = receipts.of(scripted.requestId);
    return (delivery === 'taken' || delivery === 'open') && !isLost(evidence, execution);
  }).length;
  const wrong: string[] = [];
  if (most + claims > 1) wrong.push(`once: ${markKey} may have cost ${most + claims} units`);
  const made = executionsFor(markKey, views, evidence);
  if (made !== undefined && most + made > 1)
    wrong.push(`once: ${markKey} has cost ${made} generations and may have cost ${most} units`);
  if (!world.setting.isCalm) return wrong;
  const least = sum(all.map((receipt) => unitsOf(receipt.charges)[0]));
  const answers = views.flatMap(
    ({ scripted }) => outcomes.find((each) => each.scripted === scripted)?.answer ?? [],
  );
  const isOwed = answers.some((answer) => answer.outcome === 'refused' && answer.payment?.state === 'owed');
  const isShown = answers.some(({ outcome }) => outcome === 'served');
  const mayBeFree = views.some(
    ({ scripted: { request } }) =>
      request.provider === 'ai' && (request.variation !== undefined || request.alt !== undefined),
  );
  if (isShown && !isOwed && !mayBeFree && least + claims !== 1)
    wrong.push(`calm: ${markKey} was shown for ${least + claims} units`);
  return wrong;
}

/**
 * The charged executions that made what the requests of a mark show; `undefined` where other requests may have begun
 * them too.
 */
function executionsFor(
  markKey: string,
  views: readonly SignedView[],
  { script, acts, views: allViews, ledger, engine }: Evidence,
): number | undefined {
  // Who asks for an image by its id may take the delivery that its making has paid for.
  if (acts.includes('permalink')) return undefined;
  const own = new Set(views.flatMap(({ scripted }) => keysOf(scripted)));
  const signed = new Map(allViews.map((view) => [view.scripted, view.markKey]));
  const others = script.filter((scripted) => signed.get(scripted) !== markKey);
  if (own.size === 0 || others.some((scripted) => keysOf(scripted).some((key) => own.has(key))))
    return undefined;
  const paths = [...engine.items('generationIndex')].filter(([pk]) => own.has(pk));
  const finished = new Set([...ledger.finished].filter(([, key]) => own.has(key)).map(([id]) => id));
  for (const [, item] of paths) finished.add(String(item['ex']));
  return [...finished].filter((id) => {
    const operation = ledger.operations.get(id);
    return operation?.state === 'C' && operation.cost > 0;
  }).length;
}

const keys = new WeakMap<ScriptedRequest, readonly string[]>();

/** What a request has generated: the key of its image, or nothing. Hashed once, as every mark asks for those of all requests. */
function keysOf(scripted: ScriptedRequest): readonly string[] {
  const known = keys.get(scripted);
  if (known) return known;
  const { request } = scripted;
  const made =
    request.provider === 'ai' ? [generationIdentity(request, callerOf(scripted), undefined).key] : [];
  keys.set(scripted, made);
  return made;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
