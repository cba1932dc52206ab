/** Who makes a rendition: one alone, and another one where the file that was noted is gone. */

import { endLease, leaseRendition, readRendition } from '../../lambda/images/rendition-leases';
import { libraryPath } from '../fakes/branded';
import { type Engine, startEngine } from '../fakes/dynamodb-engine';
import { servicesOn } from '../fakes/services';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

describe('a rendition', () => {
  it('is leased by one attempt, and again only in place of the very one whose file is gone', async () => {
    const services = servicesOn(engine);
    const path = libraryPath('renditions/a/1x1.webp');
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
});
