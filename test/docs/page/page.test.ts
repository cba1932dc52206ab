/** Tests the two pages: well-formed markup, no files of other hosts, and the facts of the service. */

import { createHash } from 'node:crypto';
import { drawnCredit, type Example, exampleImages } from '../../../lambda/contract/example-images';
import { imageParameters, parameterNames, parameters } from '../../../lambda/contract/parameters';
import { defaultPlans, makePlanTexts, type Plans, planNames } from '../../../lambda/contract/plans';
import { defaultSite } from '../../../lambda/contract/settings';
import { newKeySchema } from '../../../lambda/credentials/own-keys';
import { writeLlmsText } from '../../../lambda/docs/guide';
import {
  writeAccountPage,
  writeContentSecurityPolicy,
  writeDocumentationPage,
} from '../../../lambda/docs/page/page';
import { problems } from '../../../lambda/problems/problem';
import { bundlePageAssets } from '../../../lib/functions/bundle';

const rootUrl = 'https://img.example/prod';
const examplesUrl = 'https://images.example/public/examples/1';
const { docs: assets, account } = bundlePageAssets();
/** With the texts of the default plans, as the local service shows them. */
const plansWithTexts = Object.fromEntries(
  planNames.map((name) => [name, { ...defaultPlans[name], texts: makePlanTexts()[name] }]),
) as unknown as Plans;
const pageValues = { rootUrl, plans: plansWithTexts, site: defaultSite, examplesUrl };
const page = writeDocumentationPage(pageValues, assets);
const readElement = (tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
/** The page without its style sheet and script, which hold signs that mean something else there. */
const markup = page.replace(readElement('style'), '').replace(readElement('script'), '');
const text = markup.replace(/<[^>]*>/g, ' ').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
const tags = [...markup.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<]*")?)*)\s*(\/?)>/g)].map(
  ([whole, slash, name = '', attributes = '', self]) => ({
    whole,
    name,
    isEnd: slash === '/',
    isSelfClosing: self === '/',
    attributes: Object.fromEntries(
      [...attributes.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(([, key, value = '']) => [key, value]),
    ) as Readonly<Record<string, string>>,
  }),
);
const startTags = tags.filter(({ isEnd }) => !isEnd);
const findTagsWith = (attribute: string) => startTags.filter(({ attributes }) => attribute in attributes);

test('the documentation page is well-formed', () => {
  expect(tags.length).toBe((markup.match(/<(?!!doctype)/g) ?? []).length);
  const openNames: string[] = [];
  const voidElements = ['meta', 'link', 'input', 'img', 'br'];
  for (const { name, isEnd, isSelfClosing, whole } of tags) {
    if (isEnd) expect([whole, openNames.pop()]).toEqual([whole, name]);
    else if (!voidElements.includes(name) && !isSelfClosing) openNames.push(name);
  }
  expect(openNames).toEqual([]);
});

test('the playground has a field with the default of every parameter', () => {
  const form = /<form id="try"[\s\S]*?<\/form>/.exec(markup)?.[0] ?? '';
  // The first choice of a list is its default, which the script leaves out of URLs.
  const fields = new Map(
    [...form.matchAll(/<(?:input|select) name="(\w+)"[^>]*>\s*(?:<option value="([^"]*)")?/g)].map(
      ([, name = '', first = '']) => [name, first],
    ),
  );
  // It searches for an image, so it does not take the id of one.
  const formParameters = imageParameters.filter((name) => name !== 'pick');
  expect([...fields.keys()]).toEqual(expect.arrayContaining([...formParameters]));
  for (const name of formParameters.filter((parameter) => !['query', 'width', 'height'].includes(parameter)))
    expect([name, fields.get(name)]).toEqual([name, String(parameters[name].defaultValue ?? '')]);
});

test('the documentation page loads nothing from other hosts', () => {
  for (const { name, attributes } of findTagsWith('src'))
    expect([name, attributes['src']]).toEqual([
      'img',
      expect.stringMatching(/^(https:\/\/images\.example\/public\/examples\/|data:image\/svg\+xml,)/),
    ]);
  const links = startTags.filter(({ name }) => name === 'link');
  for (const { attributes } of links) expect(attributes['href']).toMatch(/^(data:image\/svg\+xml,|\/prod\/)/);
  expect(
    startTags.filter(({ name }) => ['iframe', 'object', 'embed', 'video', 'base'].includes(name)),
  ).toEqual([]);
  expect(readElement('style')).not.toMatch(/url\(|@import|@font-face/);
  expect(readElement('script')).not.toMatch(
    /https?:\/\/(?!\/)[a-z]|import\(|XMLHttpRequest|WebSocket|sendBeacon/,
  );
});

test('the playground shows 1 file and the gallery 24', () => {
  const shownImages = startTags.filter(({ name, attributes }) => name === 'img' && attributes['src']);
  expect(shownImages.map(({ attributes }) => [attributes['src'], Number(attributes['width'])])).toEqual(
    Object.entries<Example>(exampleImages).map(([name, { widthPx }]) => [
      `${examplesUrl}/${name}.webp`,
      widthPx,
    ]),
  );
  const gallery = /<ul id="gallery"[\s\S]*?<\/ul>/.exec(markup)?.[0] ?? '';
  expect(gallery.match(/<img /g)).toHaveLength(24);
  expect(text).toContain(drawnCredit);
});

test('the documentation page offers a demo key only on a local service', () => {
  expect(findTagsWith('data-key')).toEqual([]);
  const localPage = writeDocumentationPage({ ...pageValues, demoKey: 'pk_test_demo' }, assets);
  expect(localPage).toContain('data-key="pk_test_demo"');
});

test('the documentation page shows the site and the plans of the operator', () => {
  const site = {
    name: 'Harbor Images',
    logo: 'https://harbor.example/logo.svg',
    contact: 'ops@harbor.example',
    imprint: 'https://harbor.example/imprint',
    privacy: 'javascript:alert(1)',
  };
  const texts = { title: 'Crew', price: '€9', features: 'coffee' };
  const plans = { ...defaultPlans, pro: { ...defaultPlans.pro, texts } };
  const operatorPage = writeDocumentationPage({ ...pageValues, site, plans }, assets);
  expect(operatorPage).toContain('<title>Harbor Images: an image for any words</title>');
  expect(operatorPage).toContain('<img src="https://harbor.example/logo.svg" alt="">');
  expect(operatorPage.match(/href="mailto:ops&#64;harbor.example"/g)).toHaveLength(2);
  expect(operatorPage).toContain('<a href="https://harbor.example/imprint">Imprint</a>');
  expect(operatorPage).not.toContain('href="javascript:');
  for (const said of Object.values(texts)) expect(operatorPage).toContain(said);
  expect(operatorPage).not.toContain('$29');
});

test('the policy of the documentation page allows only its own style and script', () => {
  const policy = writeContentSecurityPolicy(rootUrl, assets);
  for (const tag of ['style', 'script']) {
    const hash = createHash('sha256').update(readElement(tag)).digest('base64');
    expect(policy).toContain(`${tag}-src 'sha256-${hash}'`);
  }
  expect(policy.replaceAll(/'sha256-[^']*'/g, 'HASH').split('; ')).toEqual([
    ...["default-src 'none'", 'style-src HASH', 'script-src HASH', "img-src 'self' data: https:"],
    ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ]);
  expect(policy).not.toMatch(/unsafe|http:/);
  expect(writeContentSecurityPolicy('http://127.0.0.1:3000', assets)).toContain('http:');
  expect(findTagsWith('style')).toEqual([]);
  expect(
    startTags.filter(({ attributes }) => Object.keys(attributes).some((key) => key.startsWith('on'))),
  ).toEqual([]);
});

test('every link within the documentation page leads to one element', () => {
  const ids = findTagsWith('id').map(({ attributes }) => attributes['id'] ?? '');
  expect(new Set(ids).size).toBe(ids.length);
  const targetIds = [
    ...findTagsWith('href').flatMap(({ attributes }) => /^#(.+)/.exec(attributes['href'] ?? '')?.[1] ?? []),
    ...findTagsWith('aria-labelledby').map(({ attributes }) => attributes['aria-labelledby'] ?? ''),
  ];
  for (const id of targetIds) expect(ids).toContain(id);
});

test('the `type` of each problem document leads to a row of the documentation page', () => {
  const ids = findTagsWith('id').map(({ attributes }) => attributes['id']);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(problems)));
});

test('the documentation page states the bounds of parameters and the limits of plans', () => {
  for (const name of parameterNames) {
    expect(text).toContain(name);
    expect(text).toContain(parameters[name].bounds);
  }
  const plans = /<article id="plans"[\s\S]*?<\/article>/.exec(markup)?.[0] ?? '';
  const rows = [...plans.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = '']) =>
    row.split(/<[^>]*>+/).filter(Boolean),
  );
  expect(rows).toMatchObject(
    [
      ['Anonymous', '10 per hour', '–', 'free'],
      ['Free', '1,000 per month', '25 per month', '$0'],
      ['Pro', '50,000 per month', '500 per month', '$29 per month'],
      ['Business', '500,000 per month', '4,000 per month', '$199 per month'],
      ['Enterprise', 'unlimited', '20,000 per month', 'custom'],
      ['Test keys', '100 per hour', '25 per month', 'with any plan'],
    ].map((cells) => expect.arrayContaining(cells)),
  );
});

test('if the operator sets no prices, the table of plans has no column for them', () => {
  const page = writeDocumentationPage({ ...pageValues, plans: defaultPlans }, assets);
  expect(page).not.toContain('$29 per month');
  expect(page).not.toContain('<th scope="col">Price</th>');
});

test('the documentation page shows every error with the text of its card', () => {
  const errors = /<article id="errors"[\s\S]*?<\/article>/.exec(markup)?.[0] ?? '';
  const cards = [...errors.matchAll(/data-label="Card"><b>(.*?)\.<\/b> (.*?)<\/td>/g)];
  expect(cards.map(([, title]) => title)).toEqual(Object.values(problems).map(({ title }) => title));
  for (const [, , detail = ''] of cards) expect(detail.length).toBeGreaterThan(20);
  for (const part of ['(received: 50)', 'The limit of 10 requests per hour', 'The quota of 1000 requests'])
    expect(errors).toContain(part);
});

test('llms.txt has the parameters, errors and plans of the documentation page', () => {
  const guide = writeLlmsText(rootUrl, {
    ...defaultPlans,
    free: { ...defaultPlans.free, monthlyRequests: 1_234 },
  });
  const listNames = (heading: string) =>
    [...(guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^- ([\w-]+)[ :]/gm)].map(
      ([, name]) => name,
    );
  expect(listNames('Parameters')).toEqual([...parameterNames]);
  for (const name of parameterNames) {
    const line = guide.split('\n').find((text) => text.startsWith(`- ${name} `));
    expect(line).toBe(`- ${name} (${parameters[name].bounds}): ${parameters[name].purpose}`);
  }
  for (const [code, { status }] of Object.entries(problems))
    expect(guide).toContain(`\n- ${code}: ${status}, `);
  for (const fact of [
    '| trials; stock images only | 10 requests an hour and IP address |',
    'per UTC month: free 1,234, pro 50,000, business 500,000, enterprise unlimited.',
    'with a test key (`pk_test_…`), 100 an hour for free',
    'per account and hour: free 300, pro 2,000, business 10,000, enterprise 40,000.',
    'At most 24 images a call;',
    'up to 200.',
    'A call fills 24 images:',
    'Every visitor has 10 such requests an hour',
  ])
    expect(guide).toContain(fact);
});

test('the documentation page escapes markup in its own URL', () => {
  const pageWithMarkup = writeDocumentationPage(
    { ...pageValues, rootUrl: 'https://img.example/"><script>alert(1)</script>' },
    assets,
  );
  expect(pageWithMarkup).not.toContain('<script>alert');
});

test('every kind of key that the account page offers may be created', () => {
  const kinds = [...writeAccountPage(pageValues, account).matchAll(/<option value="([^"]*)">/g)].map(
    ([, value = '']) => Object.fromEntries(new URLSearchParams(value.replace('&#38;', '&'))),
  );
  expect(kinds).toContainEqual({ kind: 'signer', mode: 'test' });
  for (const kind of kinds) expect(newKeySchema.safeParse({ name: 'a', ...kind }).success).toBe(true);
});

test('the policy of the account page allows only its own style and script', () => {
  const policy = writeContentSecurityPolicy(rootUrl, account);
  for (const part of [account.script, account.style]) {
    expect(writeAccountPage(pageValues, account)).toContain(part);
    expect(policy).toContain(createHash('sha256').update(part).digest('base64'));
  }
});
