/** Tests how the settings of a stage are read, and what a wrong setting is told. */

import { makeStackName, makeStage, readStage } from '../../lib/stage';
import { listStageVariables, writeAsciiJson } from '../../lib/stage-settings';

test('readStage prefers settings of the command line to those of cdk.json', () => {
  const settings = { dev: { keyVersion: 2, logRetentionDays: 1 }, prod: { keyVersion: 3 } };
  expect(readStage({ settings, keyVersion: '4' })).toMatchObject({
    name: 'dev',
    keyVersion: 4,
    logRetentionDays: 1,
  });
  expect(readStage({ settings, stage: 'prod' })).toMatchObject({ keyVersion: 3, logRetentionDays: 90 });
  const ofCdk = { '@aws-cdk/core:flag': true, 'acknowledged-issue-numbers': [1], 'cdk-migrate': true };
  expect(readStage({ ...ofCdk, sam: 'true' })).toMatchObject({ sam: true });
  expect(readStage({ keepsData: 'true', plans: '{"pro":{"perSecond":9}}', edge: undefined })).toMatchObject({
    ...{ keepsData: true, plans: { pro: { perSecond: 9 } }, edge: false },
  });
  expect(() => readStage({ stage: 'test' })).toThrow('stage must be one of dev, prod');
  expect(() => readStage({ settings: { live: {} } })).toThrow('cdk.json has settings for live');
});

const elsewhere = { name: 'i.example.org', certificateArn: 'arn:aws:acm:eu-west-1:1:certificate/1' };
const wrongSettings: readonly [changes: Readonly<Record<string, unknown>>, fault: string][] = [
  [{ edgee: true }, 'edgee: there is no such setting; the nearest is edge'],
  [{ plans: { pro: { monthlyRequest: 1 } } }, 'plans.pro.monthlyRequest: there is no such setting'],
  [{ plans: { profi: {} } }, 'plans.profi: there is no such setting; the nearest is plans.pro'],
  [{ generator: { kind: 'sandbox', delay: 1 } }, 'generator.delay: there is no such setting'],
  [{ keyVersion: 0 }, 'keyVersion: Too small: expected number to be >=1'],
  [{ aiLabel: 'top' }, 'aiLabel: Invalid option: expected one of "off"|"corner"'],
  [{ site: { contact: 'nobody' } }, 'site.contact: must be a URL or an e-mail address'],
  [{ slotBindings: { stock_d: 'pexels' } }, 'slotBindings.stock_d: there is no such setting'],
  [{ providerQuotas: { pexels: {} } }, 'providerQuotas.pexels: must name perMinute, perHour or perDay'],
  [
    { providerQuotas: { pexels: { perMinute: 1_000_001 } } },
    'perMinute: Too big: expected number to be <=1000000',
  ],
  [
    { providerQuotas: { pexels: { perHour: 10_000_001 } } },
    'perHour: Too big: expected number to be <=10000000',
  ],
  ...['1a', 'a_b', '', 'a'.repeat(21)].map((installation): [Record<string, unknown>, string] => [
    { installation },
    'installation: must be a letter and up to 19 letters',
  ]),
  ...['https://a.example/"', 'https://a.example/\\', 'https://a.example/é'].map(
    (imprint): [Record<string, unknown>, string] => [
      { site: { imprint } },
      'site.imprint: must be at most 200 ASCII characters, no " or \\',
    ],
  ),
  [{ site: { logo: 'ftp://a.example/a.png' } }, 'site.logo: Invalid URL'],
  [{ site: { name: 'a'.repeat(61) } }, 'site.name: Too big'],
  [
    { domains: { api: { ...elsewhere, certificateArn: 'arn:aws:iam::1:x' } } },
    'must be the ARN of a certificate',
  ],
  [{ restoredTables: { images: 'ab' } }, 'restoredTables.images: must be the name of a table'],
  [{ restoredTables: { images: 'a/b' } }, 'restoredTables.images: must be the name of a table'],
  [{ restoredTables: { cache: 'restored' } }, 'restoredTables'],
  [{ slotBindings: { stock_a: 'unsplash' }, imageDelivery: 'own' }, 'slotBindings: imageDelivery own'],
  [
    { domains: { images: elsewhere } },
    'domains.images.certificateArn: CloudFront takes certificates of us-east-1',
  ],
  [
    { domains: { api: elsewhere }, edge: true },
    'domains.api.certificateArn: CloudFront takes certificates of',
  ],
];
test.each(wrongSettings.map(([changes, fault]) => ({ changes, fault })))(
  'makeStage explains: $fault',
  ({ changes, fault }) => {
    expect(() => makeStage('dev', changes)).toThrow(fault);
  },
);

test('makeStage accepts the largest values', () => {
  const domain = { name: 'i.example.org', certificateArn: 'arn:aws-cn:acm:eu-west-1:1:certificate/1' };
  for (const changes of [
    { installation: `a-${'B'.repeat(17)}9`, restoredTables: { images: 'a.b-c_d' }, domains: { api: domain } },
    { providerQuotas: { pexels: { perMinute: 1_000_000, perHour: 10_000_000 } } },
    { site: { contact: 'ops@example.org', imprint: 'http://a.example/?b=c#d', name: 'é'.repeat(60) } },
  ])
    expect(makeStage('dev', changes)).toMatchObject(changes);
});

test('makeStage names all faults at once', () => {
  expect(() => makeStage('prod', { keyVersion: 0, aiLabel: 'top' })).toThrow(/aiLabel[\s\S]*keyVersion/);
});

test('makeStage keeps the default provider of a slot that is not bound', () => {
  expect(makeStage('dev', { slotBindings: { stock_b: 'pexels' } }).slotBindings).toEqual({
    ...{ stock_a: 'openverse', stock_b: 'pexels', stock_c: 'wikimedia' },
  });
});

test('makeStackName joins the installation and the stage', () => {
  expect(makeStackName(makeStage('prod'))).toBe('ImageRedirect-prod');
  expect(makeStackName(makeStage('dev', { installation: 'eu' }))).toBe('ImageRedirect-eu-dev');
});

test('GENERATIONS_PER_DAY is absent for the sandbox or `off`', () => {
  expect(listStageVariables(makeStage('prod')).GENERATIONS_PER_DAY).toBe('2000');
  for (const changes of [{ generator: { kind: 'sandbox' } }, { generationsPerDay: 'off' }])
    expect(listStageVariables(makeStage('prod', changes)).GENERATIONS_PER_DAY).toBeUndefined();
});

test('writeAsciiJson escapes all other characters', () => {
  expect(writeAsciiJson({ name: 'Café ☕' })).toBe('{"name":"Caf\\u00e9 \\u2615"}');
});
