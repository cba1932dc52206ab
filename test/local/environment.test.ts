/** The environment of the functions: what a start makes of its options and of its own environment, and what commands are told of it. */

import { localNames } from '../../cli/local-services';
import { tables } from '../../lambda/contract/tables';
import { describeService, environmentOf, type LocalOptions, samEnvironment } from '../../local/environment';
import { type LocalState, readState } from '../../local/state';

const names = Object.fromEntries(Object.keys(tables).map((table) => [table, `name of ${table}`]));
const addresses = {
  dynamodb: 'http://127.0.0.1:1',
  aws: 'http://127.0.0.1:2',
  tables: names as Readonly<Record<keyof typeof tables, string>>,
};

describe('the functions', () => {
  const { env } = process;
  afterEach(() => {
    process.env = env;
  });
  let state: LocalState;
  beforeAll(async () => {
    state = await readState(undefined);
  });
  const sandboxed = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' } as const;

  const variablesOf = (options: Partial<LocalOptions> = {}, own: Readonly<Record<string, string>> = {}) => {
    process.env = { ...own };
    return environmentOf({
      options: {
        ...{ bind: sandboxed, imageDelivery: 'provider', aiLabel: 'off' },
        contentCredentials: 'self',
        anonymousPerHour: 10,
        ...options,
      },
      addresses,
      state,
      endpoints: { pexels: 'http://127.0.0.1:3' },
      token: 'the-token',
      imageStore: 'file:///images',
      demoKey: 'pk_test_demo',
      url: 'http://127.0.0.1:4',
    });
  };

  it('reach the embedded services alone, whatever account this machine is set up for', () => {
    const variables = variablesOf();
    expect(variables).toMatchObject({
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'the-token',
      AWS_ENDPOINT_URL_DYNAMODB: addresses.dynamodb,
      AWS_ENDPOINT_URL_LAMBDA: addresses.aws,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: addresses.aws,
      AWS_ENDPOINT_URL_S3: addresses.aws,
      API_KEYS_TABLE: 'name of apiKeys',
      CACHE_TABLE: 'name of cache',
    });
    for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) expect(variables[name]).toBeUndefined();
    expect(variables).toHaveProperty('AWS_PROFILE');
  });

  it('are told where everything is, each by its own name', () => {
    expect(variablesOf()).toMatchObject({
      IMAGE_BASE_URL: 'http://127.0.0.1:4/cdn',
      DEMO_KEY: 'pk_test_demo',
      IMAGE_STORE: 'file:///images',
      RENDERER_FUNCTION: localNames.renderer,
      GENERATOR_FUNCTION: localNames.generator,
      SIGNING_SECRET_ID: localNames.signingSecret,
      SIGNING_KEY_PAIR_ID: localNames.keyPairId,
      SIGNER_SECRET_ID: localNames.signerSecret,
      PROVIDER_SECRET_ID: localNames.providerSecret,
      ADDRESS_SECRET_ID: 'local-addresses',
      PROVIDER_ENDPOINTS: '{"pexels":"http://127.0.0.1:3"}',
    });
  });

  it('have the defaults of a laptop, and what its environment says in their place', () => {
    expect(variablesOf()).toMatchObject({
      CONTACT: 'http://127.0.0.1:4',
      GENERATOR: '{"kind":"sandbox"}',
    });
    const own = {
      CONTACT: 'ops@example.org',
      GENERATOR: '{"kind":"sandbox","delayMs":1}',
    };
    expect(variablesOf({}, own)).toMatchObject(own);
  });

  it('do what the options say', () => {
    const bind = { ...sandboxed, stock_b: 'pexels' } as const;
    const options = { bind, imageDelivery: 'own', aiLabel: 'corner', anonymousPerHour: 7 } as const;
    const { SLOT_BINDINGS = '', ANONYMOUS_LIMIT = '', ...others } = variablesOf(options);
    expect(JSON.parse(SLOT_BINDINGS)).toEqual(bind);
    expect(JSON.parse(ANONYMOUS_LIMIT)).toMatchObject({
      max: 7,
      hint: expect.stringContaining('--anonymous-per-hour'),
    });
    expect(others).toMatchObject({ IMAGE_DELIVERY: 'own', AI_LABEL: 'corner' });
    expect(others['DRAW_WITHOUT_PROVIDERS']).toBeUndefined();
    expect(variablesOf({ photos: true })).toMatchObject({ DRAW_WITHOUT_PROVIDERS: 'on' });
  });

  it('sign AI images unless that is off', () => {
    const signing = ['CONTENT_SECRET_ID', 'CONTENT_CERTIFICATES'];
    expect(variablesOf()).toMatchObject({
      CONTENT_SECRET_ID: 'content-credentials',
      CONTENT_CERTIFICATES: expect.stringMatching(/^-----BEGIN CERTIFICATE-----(?![\s\S]*PRIVATE)/),
    });
    const off = variablesOf({ contentCredentials: 'off' });
    for (const name of signing) expect(off[name]).toBeUndefined();
  });

  it('in containers reach the same services under the name of this machine, and images by S3', () => {
    const file = JSON.parse(samEnvironment(variablesOf(), ['ApiFunction', 'RendererFunction']));
    expect(Object.keys(file)).toEqual(['ApiFunction', 'RendererFunction']);
    expect(file.ApiFunction).toEqual(file.RendererFunction);
    expect(file.ApiFunction).toMatchObject({
      AWS_ENDPOINT_URL_DYNAMODB: 'http://host.docker.internal:1',
      AWS_ENDPOINT_URL_LAMBDA: 'http://host.docker.internal:2',
      AWS_ENDPOINT_URL_S3: 'http://host.docker.internal:2',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://host.docker.internal:2',
      IMAGE_STORE: expect.stringMatching(/^s3:/),
      // Which the caller fetches, not the function.
      IMAGE_BASE_URL: 'http://127.0.0.1:4/cdn',
    });
    expect(Object.values(file.ApiFunction).every((value) => typeof value === 'string')).toBe(true);
  });
});

it('commands are told what they need of it, and no secret', () => {
  const stockProviders = {
    SLOT_BINDINGS: '{}',
    PROVIDER_ENDPOINTS: '{}',
    PROVIDER_QUOTAS: '{"pexels":{"perDay":1}}',
    PROVIDER_SECRET_ID: 'provider-keys',
    CONTACT: 'ops@example.org',
    IMAGE_DELIVERY: 'own',
  };
  const environment = { ...stockProviders, IMAGE_STORE: 'file:///a', PLANS: '{}', GENERATIONS_PER_DAY: '5' };
  const told = describeService(addresses, { ...environment, SIGNER_SECRET_ID: 'secret' });
  expect(JSON.parse(told)).toEqual({
    ...addresses,
    imageStore: 'file:///a',
    plans: '{}',
    generationsPerDay: '5',
    stockProviders,
  });
});
