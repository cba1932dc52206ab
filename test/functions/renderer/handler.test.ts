/** The renderer function's handling of its events. */

import { rendererMarginMs } from '../../../lambda/contract/timeouts';
import { type RendererServices, rendererHandler } from '../../../lambda/functions/renderer/handler';
import { renderAndStore } from '../../../lambda/images/render';
import { type RenditionJob, readRenditionJob } from '../../../lambda/images/renderer-job';
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
const report = {
  kind: 'report-use',
  provider: 'unsplash',
  url: 'https://api.unsplash.com/photos/x/download?ixid=1',
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
      reportUse: async (it) => void seen.push(it),
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

  it('reports a use', async () => {
    expect(await rendererHandler(services)(report, context)).toEqual({ outcome: 'done' });
    expect(seen).toEqual([report]);
  });

  const stored = { kind: 'stored', path: 'masters/a/master.png' };
  const card = { kind: 'card', color: '#aabbcc', placeholder: 'data:image/webp;base64,UklGRg==' };
  const drawing = { kind: 'drawing', words: 'lake', seed: '1', style: 'dark', variation: 3 };
  const how = { crop: 'faces', anew: true, label: 'corner', enlarge: true };
  const metadata = { creditLine: 'AI', aiGenerated: true, generatedBy: { model: 'm', createdMs: 1 } };
  it.each<[string, object]>([
    ['a rendition with all that it may say', { ...job, ...how, metadata }],
    ['a rendition of a master', { ...job, source: stored }],
    ['a card', { ...job, source: card }],
    ['a drawing', { ...job, source: drawing }],
  ])('is handed %s whole', async (_, event) => {
    await rendererHandler(services)({ ...event, unknown: 1 }, context);
    expect(seen[0]).toEqual(event);
  });

  it('fails when the work fails, so that Lambda may repeat it, and logs it', async () => {
    const fail = async () => {
      throw new Error('no answer');
    };
    await expect(rendererHandler({ ...services, reportUse: fail })(report, context)).rejects.toThrow(
      'no answer',
    );
    render.mockImplementation(fail);
    await expect(rendererHandler(services)(job, context)).rejects.toThrow('no answer');
    expect(seen).toEqual(['The renderer failed', 'The renderer failed']);
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

  it.each([
    ['nothing', undefined, 'event'],
    ['an unknown kind', { ...report, kind: 'erase' }, 'kind'],
    ['a report without a URL', { ...report, url: 'x' }, 'url'],
    ['a path out of the library', { ...job, path: '../x.webp' }, 'path'],
    [
      'a master out of the library',
      { ...job, source: { kind: 'stored', path: '/etc/passwd' } },
      'source.path',
    ],
    ['a size out of bounds', { ...job, widthPx: 40_000 }, 'widthPx'],
    ['a broken size', { ...job, heightPx: 100.5 }, 'heightPx'],
    ['an unknown format', { ...job, format: 'bmp' }, 'format'],
    ['an extension of another format', { ...job, format: 'avif' }, 'path'],
    ['an unknown source', { ...job, source: { kind: 'file' } }, 'source'],
    [
      'a source on a host that is not listed',
      { ...job, source: { ...job.source, allowedHosts: ['b.example'] } },
      'source.url',
    ],
    ['a source that is not a web URL', { ...job, source: { ...job.source, url: 'file:///x' } }, 'source.url'],
    ['no metadata', { ...job, metadata: undefined }, 'metadata'],
    ['an unknown crop', { ...job, crop: 'middle' }, 'crop'],
    ['a colour that is none', { ...job, source: { ...card, color: 'red"' } }, 'source.color'],
    [
      'a placeholder of another kind',
      { ...job, source: { ...card, placeholder: 'data:image/svg+xml;base64,AAAA' } },
      'source.placeholder',
    ],
  ])('refuses %s before any work', async (_, event, fault) => {
    await expect(rendererHandler(services)(event, context)).rejects.toThrow(TypeError);
    await expect(rendererHandler(services)(event, context)).rejects.toThrow(fault);
    expect(seen).toEqual(['The renderer failed', 'The renderer failed']);
  });

  it('repeats no value of a faulty event', () => {
    const faulty = { ...job, source: { ...job.source, url: 'gopher://signature=secret' } };
    expect(() => readRenditionJob(faulty)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    );
  });
});
