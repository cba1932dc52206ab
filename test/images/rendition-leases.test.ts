/** Who makes a rendition: one alone, and another one where the file that was noted is gone. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { endLease, leaseRendition, readRendition } from '../../lambda/images/rendition-leases';
import { storedPath } from '../fakes/branded';
import { startEngine } from '../fakes/dynamodb-engine';
import { fixtureOf } from '../fakes/fixture';
import { servicesOn } from '../fakes/services';
import { createVirtualClock } from '../fakes/virtual-clock';

const engine = fixtureOf(startEngine);

it('a rendition is leased by one attempt, and anew only in place of the attempt whose file is gone', async () => {
  const services = servicesOn(engine);
  const path = storedPath('renditions/a/1x1.webp');
  expect(await leaseRendition(services, path, 'a')).toBe(true);
  expect(await leaseRendition(services, path, 'b')).toBe(false);
  await endLease(services, path, 'a', {});
  // Whoever has read no note before it was there.
  expect(await leaseRendition(services, path, 'b')).toBe(false);
  expect(await leaseRendition(services, path, 'b', 'a')).toBe(true);
  await endLease(services, path, 'b', {});
  // Whoever has found the file of the first gone too.
  expect(await leaseRendition(services, path, 'c', 'a')).toBe(false);
  expect(await readRendition(services, path)).toMatchObject({ maker: 'b', made: {} });
});

it('a rendition is made by another request after 30 s, and its note is believed for a day', async () => {
  const clock = createVirtualClock();
  const services = servicesOn(engine, { clock });
  const path = storedPath('renditions/a/2x2.webp');
  const { cache: TableName } = engine.tableNames;
  const ttl = async () => {
    const item = new GetCommand({ TableName, Key: { pk: `RENDITION#${path}` } });
    return Number((await engine.client.send(item)).Item?.['ttl']) - clock.nowMs() / 1_000;
  };
  await leaseRendition(services, path, 'a');
  expect(await ttl()).toBe(86_400);
  await clock.advance(29_999);
  expect(await leaseRendition(services, path, 'b')).toBe(false);
  await clock.advance(1);
  expect(await readRendition(services, path)).toBeUndefined();
  expect(await leaseRendition(services, path, 'b')).toBe(true);
  // Whoever had it before ends no lease of another.
  await endLease(services, path, 'a', {});
  expect(await readRendition(services, path)).not.toHaveProperty('made');
  await endLease(services, path, 'b', {});
  expect(await ttl()).toBe(86_400);
  await clock.advance(86_399_999);
  expect(await readRendition(services, path)).toHaveProperty('made');
  await clock.advance(1);
  expect(await readRendition(services, path)).toBeUndefined();
});
