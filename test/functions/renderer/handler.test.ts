/** The renderer function's handling of its events. */

import { rendererMarginMs } from '../../../lambda/contract/timeouts';
import { type RendererServices, rendererHandler } from '../../../lambda/functions/renderer/handler';
import { renderAndStore } from '../../../lambda/images/render';
import type { RenditionJob } from '../../../lambda/images/renderer-job';
import { libraryPath, providerUrl } from '../../fakes/branded';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { createVirtualClock, type VirtualClock } from '../../fakes/virtual-clock';

jest.mock('../../../lambda/images/render');
const render = jest.mocked(renderAndStore);

const job: RenditionJob = {
  path: libraryPath('stock/a/300x200.webp'),
  source: {
    kind: 'remote',
    url: providerUrl('https://a.example/1.jpg?signature=secret'),
    allowedHosts: ['a.example'],
  },
  widthPx: 300,
  heightPx: 200,
  format: 'webp',
  metadata: { creditLine: 'Zoë', aiGenerated: false },
};
const context = { getRemainingTimeInMillis: () => 10_000 };

describe('the renderer function', () => {
  let seen: unknown[];
  let services: RendererServices;
  let clock: VirtualClock;
  beforeEach(() => {
    seen = [];
    clock = createVirtualClock();
    render.mockImplementation(async (_, it) => {
      seen.push(it);
      return { outcome: 'stored' };
    });
    services = {
      bucket: createFakeImageLibrary(),
      fetching: { allowedLoopback: [] },
      providers: { readKey: async () => undefined, contact: () => 'o@example.org', clock, endpoints: {} },
      clock,
      telemetry: {
        info: (message) => void seen.push(message),
        error: (message) => void seen.push(message),
        count: (...event) => void seen.push(event),
        time: () => {},
      },
    };
  });

  it('makes a rendition and answers with the outcome', async () => {
    expect(await rendererHandler(services)(job, context)).toEqual({ outcome: 'stored' });
    expect(seen).toEqual([job, ['renditions', { outcome: 'stored', source: 'remote' }]]);
    render.mockResolvedValue({ outcome: 'unusable', reason: 'gone' });
    expect(await rendererHandler(services)(job, context)).toEqual({ outcome: 'unusable', reason: 'gone' });
    expect(seen.slice(2)).toEqual([
      ['renditions', { outcome: 'unusable', source: 'remote' }],
      'An original is unusable',
    ]);
  });

  it('fails when the work fails, so that Lambda may repeat it, and logs it', async () => {
    const fail = async () => {
      throw new Error('no answer');
    };
    render.mockImplementation(fail);
    await expect(rendererHandler(services)(job, context)).rejects.toThrow('no answer');
    expect(seen).toEqual(['The renderer failed']);
  });

  it('stops a little before Lambda would stop it, also work that does not end by itself', async () => {
    const startMs = clock.nowMs();
    render.mockImplementation(
      (_, __, signal) => new Promise(() => signal.addEventListener('abort', () => seen.push('aborted'))),
    );
    const answer = clock.settle(rendererHandler(services)(job, context));
    await expect(answer).rejects.toMatchObject({ name: 'DeadlineReached' });
    expect(clock.nowMs() - startMs).toBe(10_000 - rendererMarginMs);
    expect(seen).toEqual(['aborted', 'The renderer failed']);
  });
});
