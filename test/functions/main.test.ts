/** The other functions behind the API as they start from their environment, and what all of them refuse behind a distribution. */

import { contentCertificates, routes } from '../../lambda/contract/routes';
import { settings as ofDocs } from '../../lambda/functions/docs/settings';
import { settings as ofRedirect } from '../../lambda/functions/redirect/settings';
import { settings as ofUsage } from '../../lambda/functions/usage/settings';
import { restEvent } from '../fakes/rest-event';
import { liveContext } from './redirect/proxy-event';
import { aroundFunctions, started } from './started';

aroundFunctions();
const page = { script: '', style: '' };
beforeAll(() => void Object.assign(globalThis, { PAGE_ASSETS: { docs: page, account: page } }));
afterAll(() => void Reflect.deleteProperty(globalThis, 'PAGE_ASSETS'));

const docs = (changes: Readonly<Record<string, string>>) =>
  started(() => import('../../lambda/functions/docs/main'), ofDocs, changes);
const usage = (changes: Readonly<Record<string, string>>) =>
  started(() => import('../../lambda/functions/usage/main'), ofUsage, changes);
const redirect = (changes: Readonly<Record<string, string>>) =>
  started(() => import('../../lambda/functions/redirect/main'), ofRedirect, changes);
const PLANS = '{"free":{"monthlyRequests":2345}}';

test('usage is reported by the limits of the operator', async () => {
  const event = restEvent({ path: routes.usage, context: liveContext });
  const { statusCode, body } = await (await usage({ PLANS }))(event);
  expect([statusCode, body]).toEqual([200, expect.stringContaining('2345')]);
});

test('the documentation states the limits of the operator, and the certificates are those of its images', async () => {
  const ask = await docs({ PLANS, CONTENT_CERTIFICATES: 'PEM' });
  expect((await ask(restEvent({ path: routes.llms }))).body).toContain('2,345');
  const elsewhere = { ...restEvent(), resource: routes.elsewhere };
  const pathParameters = { path: contentCertificates.slice(1) };
  expect((await ask({ ...elsewhere, pathParameters })).body).toBe('PEM');
});

test.each([
  ['docs', docs, routes.llms],
  ['usage', usage, routes.usage],
  ['redirect', redirect, routes.image],
])('%s answers nothing that has not come through the distribution before it', async (_, start, path) => {
  const ask = await start({ ORIGIN_LOCK: 'lock', ROOT_URL: 'https://api.example.org' });
  expect((await ask(restEvent({ path, context: liveContext }))).statusCode).toBe(421);
});
