/** The services of AI images, on tables in memory, without limits that a test does not set. */

import { generateKeyPairSync } from 'node:crypto';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemIds } from '../../lambda/base/system';
import { defaultPlans } from '../../lambda/contract/plans';
import type { AiServices } from '../../lambda/generation/ai-services';
import {
  acquireImage,
  finishImage,
  type Generation,
  type Master,
  readGeneration,
} from '../../lambda/generation/generation-store';
import type { Delivery } from '../../lambda/images/delivery-urls';
import { storedPath } from './branded';
import { createFakeLimits } from './limits';
import type { VirtualClock } from './virtual-clock';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const delivery: Delivery = {
  baseUrl: 'https://images.example.org',
  keyPairId: 'K1',
  readPrivateKey: async () => privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  signed: createExpiringCache(100),
};

/** @param parts what the test decides; without a generator queue no image is made */
export function aiServices(clock: VirtualClock, parts: Partial<AiServices> = {}) {
  const limits = createFakeLimits(clock, parts.telemetry);
  const services: AiServices = {
    ...limits.services,
    clock,
    ids: systemIds,
    renderer: { render: async () => ({ outcome: 'stored' }) },
    delivery,
    renditions: createExpiringCache(100),
    isStored: undefined,
    aiLabel: 'off',
    generatorQueue: { handOver: async () => Promise.reject(new Error('No image is made')) },
    plans: defaultPlans,
    generationsPerDay: undefined,
    unreservedExecutions: async () => undefined,
    tables: limits.memory.tableNames,
    ...parts,
  };
  return { services, limits };
}

export const aMaster: Master = {
  path: storedPath('masters/a/01/master.png'),
  model: 'a model',
  widthPx: 1_536,
  heightPx: 1_024,
};

/** Makes an image known, as a generator does. */
export async function madeIn(
  services: AiServices,
  key: Generation['key'],
  master: Master = aMaster,
  wordsAndStyleHash?: string,
): Promise<Generation> {
  const execution = services.ids.ulid(services.clock.nowMs());
  await acquireImage(services, { key, execution });
  await finishImage(services, { key, execution }, master, wordsAndStyleHash);
  return (await readGeneration(services, key)) as Generation;
}
