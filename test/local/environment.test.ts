/** Tests the environment that functions, containers and commands get. */

import { tables } from '../../lambda/contract/tables';
import {
  type LocalOptions,
  makeEnvironment,
  writeDescription,
  writeSamEnvironment,
} from '../../local/environment';
import { createState } from '../../local/state';

const names = Object.fromEntries(Object.keys(tables).map((table) => [table, `name of ${table}`]));
const addresses = {
  dynamodb: 'http://127.0.0.1:1',
  aws: 'http://127.0.0.1:2',
  tables: names as Readonly<Record<keyof typeof tables, string>>,
};
const sandboxed = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' } as const;
const { env } = process;
const state = createState();
afterEach(() => {
  process.env = env;
});

const makeVariables = async (
  options: Partial<LocalOptions> = {},
  environment: Readonly<Record<string, string>> = {},
) => {
  process.env = { ...environment };
  return makeEnvironment({
    options: {
      ...{ bind: sandboxed, imageDelivery: 'provider', aiLabel: 'off', anonymousPerHour: 10 },
      contentCredentials: 'self',
      ...options,
    },
    addresses,
    state: await state,
    endpoints: { pexels: 'http://127.0.0.1:3' },
    token: 'the-token',
    imageStoreUrl: 'file:///images',
    demoKey: 'pk_test_demo',
    url: 'http://127.0.0.1:4',
  });
};

test('the environment leads functions to the local services only', async () => {
  const variables = await makeVariables();
  expect(variables).toMatchObject({
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'the-token',
    AWS_ENDPOINT_URL_DYNAMODB: addresses.dynamodb,
    AWS_ENDPOINT_URL_LAMBDA: addresses.aws,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: addresses.aws,
    AWS_ENDPOINT_URL_S3: addresses.aws,
    API_KEYS_TABLE: 'name of apiKeys',
    IMAGE_BASE_URL: 'http://127.0.0.1:4/cdn',
    IMAGE_STORE: 'file:///images',
    ...{ RENDERER_FUNCTION: 'renderer', GENERATOR_FUNCTION: 'generator' },
    ...{ ADDRESS_SECRET_ID: 'local-addresses', SIGNER_SECRET_ID: 'signer-master' },
    ...{ SIGNING_SECRET_ID: 'signing-key', SIGNING_KEY_PAIR_ID: 'LOCALKEYPAIR' },
    ...{ PROVIDER_SECRET_ID: 'provider-keys', DEMO_KEY: 'pk_test_demo' },
    PROVIDER_ENDPOINTS: '{"pexels":"http://127.0.0.1:3"}',
    AWS_PROFILE: undefined,
    AWS_SESSION_TOKEN: undefined,
  });
  expect(variables).toHaveProperty('AWS_PROFILE');
});

test('the environment follows the options of the start', async () => {
  expect(await makeVariables()).toMatchObject({
    CONTACT: 'http://127.0.0.1:4',
    GENERATOR: '{"kind":"sandbox"}',
  });
  const settings = { CONTACT: 'ops@example.org', GENERATOR: '{"kind":"sandbox","delayMs":1}' };
  expect(await makeVariables({}, settings)).toMatchObject(settings);
  const bind = { ...sandboxed, stock_b: 'pexels' } as const;
  const options = { bind, imageDelivery: 'own', aiLabel: 'corner', anonymousPerHour: 7 } as const;
  const { SLOT_BINDINGS = '', ANONYMOUS_LIMIT = '', ...others } = await makeVariables(options);
  expect(JSON.parse(SLOT_BINDINGS)).toEqual(bind);
  expect(JSON.parse(ANONYMOUS_LIMIT)).toMatchObject({ max: 7, hint: expect.stringContaining('--anonymous') });
  expect(others).toMatchObject({ IMAGE_DELIVERY: 'own', AI_LABEL: 'corner' });
  expect(others['FALLBACK_PROVIDER']).toBeUndefined();
  expect(await makeVariables({ photos: true })).toMatchObject({ FALLBACK_PROVIDER: 'sandbox' });
});

test('plans without texts get the default texts', async () => {
  const readPlans = async (PLANS: string) => (await makeVariables({}, { PLANS }))['PLANS'] ?? '';
  const pro = { monthlyRequests: 7, texts: { title: 'Crew' } };
  expect(JSON.parse(await readPlans(JSON.stringify({ pro, free: { perSecond: 3 } })))).toMatchObject({
    pro,
    free: { perSecond: 3, texts: { title: 'Free', price: '$0' } },
    enterprise: { texts: { price: 'custom' } },
  });
  expect(await readPlans('{"pro":')).toBe('{"pro":');
});

test('functions get a signing certificate unless content credentials are off', async () => {
  expect(await makeVariables()).toMatchObject({
    CONTENT_SECRET_ID: 'content-credentials',
    CONTENT_CERTIFICATES: expect.stringMatching(/^-----BEGIN CERTIFICATE-----(?![\s\S]*PRIVATE)/),
  });
  const unsigned = await makeVariables({ contentCredentials: 'off' });
  for (const name of ['CONTENT_SECRET_ID', 'CONTENT_CERTIFICATES']) expect(unsigned[name]).toBeUndefined();
});

test('functions in containers reach the service by the host name of this machine', async () => {
  const file = JSON.parse(writeSamEnvironment(await makeVariables()));
  const ids = ['AuthorizerFunction', 'ApiFunction', 'RendererFunction', 'GeneratorFunction'];
  expect(Object.keys(file)).toEqual(ids);
  expect(file.ApiFunction).toEqual(file.RendererFunction);
  expect(file.ApiFunction).toMatchObject({
    AWS_ENDPOINT_URL_DYNAMODB: 'http://host.docker.internal:1',
    AWS_ENDPOINT_URL_LAMBDA: 'http://host.docker.internal:2',
    IMAGE_STORE: expect.stringMatching(/^s3:/),
    // Which the caller fetches, not the function.
    IMAGE_BASE_URL: 'http://127.0.0.1:4/cdn',
  });
  expect(Object.values(file.ApiFunction).every((value) => typeof value === 'string')).toBe(true);
});

test('the description of the service for commands holds no secret', () => {
  const stockProviders = {
    ...{ SLOT_BINDINGS: '{}', PROVIDER_ENDPOINTS: '{}', PROVIDER_QUOTAS: '{"pexels":{"perDay":1}}' },
    ...{ PROVIDER_SECRET_ID: 'provider-keys', CONTACT: 'ops@example.org' },
  };
  const environment = {
    ...stockProviders,
    IMAGE_STORE: 'file:///a',
    PLANS: '{}',
    GENERATIONS_PER_DAY: '5',
    SIGNER_SECRET_ID: 'signers',
  };
  const text = writeDescription(addresses, { ...environment, PEXELS_KEY: 'a-secret-key' });
  const facts = {
    imageStoreUrl: 'file:///a',
    plans: '{}',
    generationsPerDay: '5',
    signerSecretId: 'signers',
  };
  expect(JSON.parse(text)).toEqual({ ...addresses, ...facts, stockProviders });
});
