/** Visitors without a key whose hour is used up, at a service of their own, as its functions remember that it is. */

import { ask, header } from './ask';
import { describeInBrowser } from './chromium';
import { type RunningService, startService } from './local-service';
import { openStage, openStartPage, type Stage } from './playground/start-page';

let service: RunningService;
beforeAll(async () => {
  service = await startService(['--memory', '--anonymous-per-hour', '10']);
});
afterAll(() => service?.stop());

test('the eleventh request of an hour without a key is refused until the hour ends, an image tag by a card', async () => {
  const path = '/api/image/200x200-crowd';
  const statuses = [];
  for (let i = 0; i < 10; i++) statuses.push((await ask(service.url, { path })).status);
  // The clock hour may turn in between; then the first requests belong to the hour before.
  const refused = await ask(service.url, { path });
  expect(statuses).toEqual(Array(10).fill(302));
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'rate_limited', status: 429 });
  const resetMs = Date.parse(header(refused, 'x-ratelimit-reset'));
  const retryMs = Date.now() + Number(header(refused, 'retry-after')) * 1_000;
  expect(Math.abs(retryMs - resetMs)).toBeLessThan(3_000);

  for (const [wanted, size] of [
    ['/api/image/640x360-crowd', 'width="640" height="360"'],
    ['/api/image?query=crowd', 'width="1920" height="1080"'],
  ] as const) {
    const card = await ask(service.url, { path: wanted, headers: { 'Sec-Fetch-Dest': 'image' } });
    expect([card.status, header(card, 'x-image-fallback')]).toEqual([429, 'rate_limited']);
    expect(header(card, 'content-type')).toContain('image/svg+xml');
    expect(card.body).toContain(size);
  }
});

describeInBrowser('the start page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(service);
  });
  afterAll(() => stage?.close());

  test('shows a visitor over the hourly limit the reason, and its examples all the same', async () => {
    const start = await openStartPage(stage, stage.context);
    await start.showExamples();
    const width = await start.page.evaluate<number>('document.querySelector("#canvas img").naturalWidth');
    expect(width).toBe(1200);
    const { state } = await start.tryOut({ query: 'sea' });
    expect(state).toMatch(/^429 · /);
    expect(await start.textOf('#canvas')).toMatch(/The limit of 10 requests per hour.*rate_limited$/);
    expect(state).toContain('0 of 10 requests left');
    await start.keep('error-rate_limited');
  });
});
