/** No account ever sees another's private image, in twenty thousand histories of two accounts with the same requests. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { AccountId } from '../../lambda/credentials/account-id';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import {
  executionPath,
  generationIdentity,
  type ImageKey,
  imageKeyOf,
  ownershipOf,
  renditionFolder,
} from '../../lambda/generation/generation-identity';
import { createServeAi, type ServeAiDeps } from '../../lambda/generation/serve-ai';
import { createServePermalink } from '../../lambda/generation/serve-permalink';
import { isPrivatePath } from '../../lambda/images/library-path';
import type { Charges } from '../../lambda/quota/reservations';
import type { AiRequest } from '../../lambda/requests/image-request';
import { accountId, deliveryUrl } from '../fakes/branded';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext, generousLedger } from '../fakes/request-context';
import { createRandom, type Random } from '../simulation/kernel';

const histories = 20_000;
const requestsEach = 2;
const identities = 10_000;
const nowMs = Date.UTC(2026, 10, 21, 12);

/** Names that could be taken for a part of a key, too. */
const accounts = ['a', 'b', 'a#private', 'a#public', 'private', 'A', 'live#a'].map(accountId);
const queries = ['sea', 'SEA', 'sea#private'];

jest.setTimeout(120_000);

interface Shelf {
  readonly listed: { readonly similarityKey: string; readonly generation: Generation }[];
  readonly ready: Map<string, Generation>;
}

function callerIn(random: Random, pair: readonly AccountId[]): KeyedCaller {
  return {
    kind: random.chance(0.75) ? 'live' : 'test',
    account: random.pick(pair),
    plan: 'free',
    keyId: 'k',
  };
}

function requestIn(random: Random): AiRequest {
  const choice = random.next();
  return {
    provider: 'ai',
    query: random.pick(queries),
    style: random.chance(0.9) ? 'photo' : 'dark',
    visibility: random.chance(0.5) ? 'private' : 'public',
    widthPx: random.chance(0.8) ? 1600 : 900,
    heightPx: 900,
    asJson: false,
    ...(choice < 0.25 ? { variation: random.between(1, 2) } : {}),
    ...(choice > 0.6 ? { alt: random.between(1, 3) } : {}),
  };
}

/** The real use case over an index in memory in which every image is made at once. */
function serviceOf({ listed, ready }: Shelf) {
  const index: Pick<GenerationIndex, 'read' | 'publicOf' | 'takeDelivery' | 'byImageId'> = {
    read: async (key) => ready.get(key),
    byImageId: async (imageId) => [...ready.values()].find((one) => one.imageId === imageId),
    publicOf: async (similarityKey, limit) =>
      listed
        .filter((one) => one.similarityKey === similarityKey)
        .slice(0, limit)
        .map(({ generation }) => generation),
    takeDelivery: async () => true,
  };
  const rateLimit = {
    limit: 1,
    remaining: 1,
    window: { kind: 'month', label: '', startMs: 0, endMs: 0 },
  } as const;
  const deps: ServeAiDeps = {
    telemetry: createRecordedTelemetry(),
    index: index as GenerationIndex,
    // No image is ever lost here, and none is left unsettled.
    charges: {} as Charges,
    plans: defaultPlans,
    generationsPerDay: undefined,
    testKeysGenerate: false,
    clock: { nowMs: () => nowMs },
    ledger: generousLedger(rateLimit),
    make: async ({ identity }) => {
      const known = ready.get(identity.key);
      if (known) return { outcome: 'ready', generation: known, led: false };
      const generation = madeOf(identity.key, identity.imageId, ready.size);
      ready.set(identity.key, generation);
      if (identity.visibility === 'public')
        listed.push({ similarityKey: identity.similarityKey, generation });
      return { outcome: 'ready', generation, led: true };
    },
    renditions: {
      isMade: async () => true,
      deliver: async ({ key, execution, imageId }, { widthPx, heightPx }) => ({
        outcome: 'delivered',
        image: {
          location: deliveryUrl(`${key}\n${renditionFolder(key, execution)}`),
          widthPx,
          heightPx,
          source: 'ai',
          imageId,
          attribution: { providerName: 'AI', license: { id: 'ai', name: 'AI' }, creditLine: 'AI' },
        },
      }),
    },
  };
  return { serve: createServeAi(deps), permalink: createServePermalink(deps) };
}

function madeOf(key: ImageKey, imageId: string, number: number): Generation {
  const execution = `EX${number}`;
  const master = { path: executionPath(key, execution, 'master.png'), model: 'm' };
  return { key, imageId, state: 'READY', execution, fence: 1, settled: true, due: true, tries: 0, master };
}

it('shows private images only to their own account and kind of key, under private paths', async () => {
  const random = createRandom(20_261_121);
  let shown = 0;
  let foreign = 0;
  for (let history = 0; history < histories; history++) {
    const pair = [random.pick(accounts), random.pick(accounts)];
    const ready = new Map<string, Generation>();
    const { serve, permalink } = serviceOf({ listed: [], ready });
    for (let i = 0; i < requestsEach; i++) {
      const caller = callerIn(random, pair);
      const request = requestIn(random);
      const answer = await serve(request, caller, aContext(caller, nowMs));
      if (answer.outcome !== 'served') continue;
      const [key = '', folder = ''] = answer.image.location.split('\n');
      const { mode, account, visibility } = ownershipOf(imageKeyOf(key));
      const isOwn = account === caller.account && mode === caller.kind;
      const isOpen = visibility === 'public' && mode === 'live' && caller.kind === 'live';
      if (!isOwn && !isOpen)
        throw new Error(`History ${history}: ${JSON.stringify({ caller, request })} was shown ${key}`);
      if (isPrivatePath(folder) !== (visibility === 'private'))
        throw new Error(`History ${history}: ${key} lies in ${folder}`);
      if (isOwn && request.alt === undefined && caller.kind === 'live' && visibility !== request.visibility)
        throw new Error(`History ${history}: asked for ${request.visibility} and got ${key}`);
      shown += 1;
      foreign += isOwn ? 0 : 1;
    }
    const caller = callerIn(random, pair);
    const asked = random.pick([...ready.values()]);
    const context = aContext(caller, nowMs);
    const answer = await permalink(asked.imageId, { widthPx: 100, heightPx: 100 }, caller, context);
    const { mode, account, visibility } = ownershipOf(asked.key);
    const maySee = visibility === 'public' || (account === caller.account && mode === caller.kind);
    if ((answer.outcome === 'served') !== maySee)
      throw new Error(
        `History ${history}: ${JSON.stringify(caller)} asked for ${asked.key}: ${answer.outcome}`,
      );
  }
  expect(shown).toBeGreaterThan(histories * (requestsEach - 1));
  // The others' public images are met, so that their private ones could have been.
  expect(foreign).toBeGreaterThan(histories / 100);
});

it('gives two generations the same key only when everything that makes them one is the same', () => {
  const random = createRandom(7);
  const known = new Map<string, string>();
  const names = new Map<string, string>();
  for (let i = 0; i < identities; i++) {
    const caller = callerIn(random, accounts);
    const request = requestIn(random);
    const identity = generationIdentity(request, caller, request.variation);
    const { order } = identity;
    const meant = JSON.stringify([
      caller.kind,
      caller.account,
      identity.visibility,
      order.words,
      order.style,
      order.bucket,
      order.variation,
    ]);
    if ((known.get(identity.key) ?? meant) !== meant) throw new Error(`${identity.key} has two meanings`);
    if ((names.get(identity.imageId) ?? identity.key) !== identity.key)
      throw new Error(`${identity.imageId} names two images`);
    const { mode, account, visibility } = ownershipOf(identity.key);
    if (mode !== caller.kind || account !== caller.account || visibility !== identity.visibility)
      throw new Error(`${identity.key} is read as ${mode}, ${account}, ${visibility}`);
    known.set(identity.key, meant);
    names.set(identity.imageId, identity.key);
  }
  expect(known.size).toBeGreaterThan(100);
});
