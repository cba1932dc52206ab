/** The settings of a stage: what each may be, its default, what it is for, and the environment variables that follow from it. */

import * as z from 'zod';
import {
  aiLabels,
  defaultRedirectMaxAgeS,
  generationsPerDayMax,
  imageDeliveries,
  redirectMaxAgeSMax,
} from '../lambda/contract/environment';
import { generatorFacts, generatorSettings, readGeneratorSettings } from '../lambda/contract/generators';
import { planLimitsMax, planNames, type Tier, tierPerSecond, tiers } from '../lambda/contract/plans';
import { deliveryFault, providerQuotaMax, stockProviders, stockSlots } from '../lambda/contract/providers';
import { type TableName, tables } from '../lambda/contract/tables';

const whole = (min: number, max: number) => z.int().min(min).max(max);
const webUrl = z.url({ protocol: /^https?$/ });
const throttle = z.strictObject({ perSecond: whole(1, 10_000), burst: whole(1, 10_000) });
/** Some of these limits, each a whole number from 1 to its maximum. */
const limitsUpTo = <Name extends string>(maxima: Readonly<Record<Name, number>>) => {
  const limits = Object.entries<number>(maxima).map(([name, max]) => [name, whole(1, max).optional()]);
  return z.strictObject(Object.fromEntries(limits) as Record<Name, z.ZodOptional<z.ZodInt>>);
};
const providerQuota = limitsUpTo(providerQuotaMax).refine(
  (quota) => Object.values(quota).some((limit) => limit !== undefined),
  `must name at least one of ${Object.keys(providerQuotaMax).join(', ')}`,
);
/** Tables that must not be lost, and so have point-in-time recovery. */
const durableTables = (Object.keys(tables) as TableName[]).filter((name) => tables[name].isDurable);
const secretVersion = whole(1, 10_000);
/** A secret that is rotated by hand: the version in use, and all versions that are accepted: without them, the one before too. */
const versions = z
  .strictObject({ version: secretVersion, trusted: z.array(secretVersion).min(1).max(5).optional() })
  .transform(({ version, trusted }) => ({
    version,
    trusted: trusted ?? (version === 1 ? [1] : [version - 1, version]),
  }))
  .refine(({ version, trusted }) => trusted.includes(version), 'the version must be among the trusted ones');
const hostedZone = z.strictObject({
  id: z.string().regex(/^[A-Z0-9]+$/, 'must be the id of a hosted zone'),
  name: z.hostname(),
});
const domain = z
  .strictObject({
    name: z.hostname(),
    certificateArn: z.string().regex(/^arn:aws[\w-]*:acm:/, 'must be the ARN of a certificate'),
    hostedZone: hostedZone.optional(),
  })
  .refine(
    ({ name, hostedZone: zone }) => !zone || `.${name}`.endsWith(`.${zone.name}`),
    'the name must be in the hosted zone',
  );
// CloudFormation hands a template's other characters back as question marks; these two would end a text of JSON.
const ascii = z.string().regex(/^[ !#-[\]-~]+$/, 'must be ASCII without " and \\');

/** Each setting by its name. The descriptions make up docs/settings.md (`npm run synth`). */
const settings = {
  installation: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,19}$/, 'must be 1 to 20 letters, digits and hyphens')
    .optional()
    .describe(
      "Tells several installations in one account apart: part of the stack's name and of every global name",
    ),
  architecture: z.enum(['arm64', 'x86_64']).describe('Processor of the functions'),
  slotBindings: z
    .record(z.enum(stockSlots), z.enum(stockProviders))
    .describe('The provider behind each stock slot. A slot that is not named keeps its default'),
  providerEndpoints: z
    .partialRecord(z.enum(stockProviders), webUrl)
    .describe("Base URLs that replace a provider's own, for tests against a fake provider"),
  providerQuotas: z
    .partialRecord(z.enum(stockProviders), providerQuota)
    .describe(
      'Requests that a provider grants you, where you agreed on other limits than it documents. A window that is not named has no limit',
    ),
  imageDelivery: z
    .enum(imageDeliveries)
    .describe(
      "Where redirects of stock images may lead: also to a `provider` that crops its images itself, or to the operator's `own` host alone ([privacy](privacy.md))",
    ),
  generator: z.discriminatedUnion('kind', generatorSettings).describe('What draws AI images'),
  generatorConcurrency: whole(1, 1_000)
    .optional()
    .describe(
      "Executions reserved from the account's limit for the generator: the most concurrent generations. A new account cannot spare any",
    ),
  rendererConcurrency: whole(1, 1_000)
    .optional()
    .describe("Executions reserved from the account's limit for renditions"),
  authorizerConcurrency: whole(1, 1_000)
    .optional()
    .describe("Executions reserved from the account's limit for the authorizer"),
  generationsPerDay: whole(1, generationsPerDayMax)
    .or(z.literal('off'))
    .describe(
      'Images that may be generated per UTC day, for all accounts together. Images of the sandbox generator cost nothing and do not count',
    ),
  testKeysGenerate: z.boolean().describe('Whether test keys use the real generator instead of the sandbox'),
  contact: ascii
    .max(200)
    .optional()
    .describe(
      'E-mail address or URL of the operator, sent to providers that ask for one. Without it, a URL of the service',
    ),
  plans: z
    .partialRecord(z.enum(planNames), limitsUpTo(planLimitsMax))
    .describe("Limits that replace some of the default plans'"),
  redirectMaxAgeS: whole(0, redirectMaxAgeSMax).describe('Seconds that a browser may keep a redirect'),
  throttles: z
    .record(z.enum(tiers), throttle)
    .describe(
      'Burst protection of each usage-plan tier, for all its callers together. What is not named keeps its default',
    ),
  floodLimits: z
    .strictObject({ everything: throttle, perOpenMethod: throttle })
    .describe(
      'Most requests that API Gateway admits from all callers together: of all routes, and of each method of a route that no key protects. What is not named keeps its default',
    ),
  signingKey: versions.describe(
    'Version of the key pair that signs URLs of private images, and all versions whose signatures CloudFront accepts',
  ),
  contentCredentials: z
    .enum(['self', 'secret', 'off'])
    .describe(
      'Which certificate signs AI images (C2PA): one that the deployment makes, the operator’s own in the secret `ContentSecret`, or none',
    ),
  contentKey: versions.describe(
    'Version of the key pair that signs AI images with `self`, and all versions whose certificates are published',
  ),
  aiLabel: z
    .enum(aiLabels)
    .describe('Whether every AI image shows the mark of `label=corner`, also where a request asks for none'),
  logRetentionDays: z
    .literal([1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731])
    .describe('Days that logs are kept'),
  keepsData: z
    .boolean()
    .describe('Whether tables, images and secrets outlive the stack and refuse to be deleted'),
  restoredTables: z
    .partialRecord(
      z.enum(durableTables),
      z.string().regex(/^[\w.-]{3,255}$/, 'must be the name of a DynamoDB table'),
    )
    .describe(
      'Tables that take the place of the stack’s own: names of what point-in-time recovery has made ([recovery](recovery.md))',
    ),
  canary: z
    .boolean()
    .describe('Whether new code gets a tenth of the traffic first and is rolled back when alarms fire'),
  eventBus: z
    .string()
    .regex(/^[\w./-]+$/, 'must be the name of an event bus')
    .describe('EventBridge bus that receives the events of accounts near their limit'),
  alarmEmail: z.email().optional().describe('Receives the alarms'),
  monthlyBudgetUsd: whole(1, 1_000_000)
    .optional()
    .describe('Monthly costs in US dollars above which `alarmEmail`, which it needs, is notified'),
  firewallRequestsPer5Min: z
    .union([whole(10, 2_000_000_000), z.literal('off')])
    .describe('Requests in five minutes after which a web application firewall blocks an IP address'),
  generationsPerHourAlarm: whole(1, 1_000_000).describe('AI images in an hour above which the alarm fires'),
  awsEndpointUrl: webUrl
    .optional()
    .describe(
      'Endpoint that the functions call in place of AWS, for running them with SAM on this machine; never for a deployment',
    ),
  edge: z
    .boolean()
    .describe('Whether a CloudFront distribution serves the API and caches what the functions allow'),
  originLock: versions.describe(
    'Version of the secret that this distribution sends to the API, and all versions that the API accepts',
  ),
  setsApiGatewayLogRole: z
    .boolean()
    .describe(
      'Whether this stack sets the role with which API Gateway writes logs: there is one per account and region',
    ),
  apiDomain: domain
    .optional()
    .describe(
      "Name and certificate of the API. The certificate is in the stack's region, or with `edge` in us-east-1. With its Route 53 zone, the DNS records are made too",
    ),
  imageDomain: domain
    .optional()
    .describe('Name and certificate of the image CDN, likewise; its certificate is in us-east-1'),
} satisfies z.core.$ZodShape;

/** Settings that name only what differs from their default. */
export const partialSettings = [
  'slotBindings',
  'throttles',
  'floodLimits',
] as const satisfies readonly (keyof typeof settings)[];

/** All settings of a stage, and what one demands of another. */
export const stageSettings = z.strictObject(settings).superRefine((stage, context) => {
  const refuse = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: stage });
  const fault = deliveryFault(stage.imageDelivery, stage.slotBindings);
  if (fault !== undefined) refuse(['slotBindings'], fault);
  if (stage.monthlyBudgetUsd !== undefined && stage.alarmEmail === undefined)
    refuse(['monthlyBudgetUsd'], 'needs alarmEmail, the address that is notified');
  if (stage.awsEndpointUrl !== undefined && stage.keepsData)
    refuse(['awsEndpointUrl'], 'is for functions on this machine, not for a stage that keeps data');
  if (stage.edge && stage.apiDomain && !stage.apiDomain.certificateArn.includes(':us-east-1:'))
    refuse(['apiDomain', 'certificateArn'], 'with edge, CloudFront accepts certificates of us-east-1 only');
  if (stage.imageDomain && !stage.imageDomain.certificateArn.includes(':us-east-1:'))
    refuse(['imageDomain', 'certificateArn'], 'CloudFront accepts certificates of us-east-1 only');
});

/** All settings with their defaults filled in; what is absent is not set. */
export type StageSettings = z.infer<typeof stageSettings>;
/** All names that a stage may have. */
export const stageNames = ['dev', 'prod'] as const;
/** `dev` or `prod`. */
export type StageName = (typeof stageNames)[number];

const everywhere = {
  architecture: 'arm64',
  slotBindings: { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'wikimedia' },
  providerEndpoints: {},
  providerQuotas: {},
  imageDelivery: imageDeliveries[0],
  generator: readGeneratorSettings({ kind: 'bedrock-stability' }),
  testKeysGenerate: false,
  plans: {},
  restoredTables: {},
  redirectMaxAgeS: defaultRedirectMaxAgeS,
  eventBus: 'default',
  throttles: Object.fromEntries(
    tiers.map((tier) => [tier, { perSecond: tierPerSecond[tier], burst: tierPerSecond[tier] }]),
  ) as Record<Tier, { perSecond: number; burst: number }>,
  floodLimits: {
    everything: { perSecond: 5_000, burst: 5_000 },
    perOpenMethod: { perSecond: 50, burst: 100 },
  },
  signingKey: { version: 1, trusted: [1] as number[] },
  contentCredentials: 'self',
  aiLabel: aiLabels[0],
  contentKey: { version: 1, trusted: [1] as number[] },
  originLock: { version: 1, trusted: [1] as number[] },
  generationsPerHourAlarm: 500,
  setsApiGatewayLogRole: true,
  edge: false,
} as const;

/** The settings of each stage where nothing is configured; what is absent is not set. */
export const defaultSettings: Readonly<Record<StageName, StageSettings>> = {
  dev: {
    ...everywhere,
    logRetentionDays: 7,
    keepsData: false,
    canary: false,
    firewallRequestsPer5Min: 'off',
    generationsPerDay: 200,
  },
  prod: {
    ...everywhere,
    logRetentionDays: 90,
    keepsData: true,
    canary: true,
    firewallRequestsPer5Min: 10_000,
    generationsPerDay: 2_000,
  },
};

/** The day's ceiling on generations; `undefined` where there is none, and where images cost nothing. */
function dailyCeilingOf({ generator, generationsPerDay }: StageSettings): number | undefined {
  return generationsPerDay === 'off' || generatorFacts(generator).isFree ? undefined : generationsPerDay;
}

/** Environment variables that settings alone decide, by their names; `undefined` where one is not set. */
export function stageVariables(stage: StageSettings) {
  return {
    SLOT_BINDINGS: asciiJson(stage.slotBindings),
    PROVIDER_ENDPOINTS: asciiJson(stage.providerEndpoints),
    PROVIDER_QUOTAS: asciiJson(stage.providerQuotas),
    AI_LABEL: stage.aiLabel,
    IMAGE_DELIVERY: stage.imageDelivery,
    CONTACT: stage.contact,
    PLANS: asciiJson(stage.plans),
    GENERATOR: asciiJson(stage.generator),
    GENERATIONS_PER_DAY: dailyCeilingOf(stage)?.toString(),
    TEST_KEYS_GENERATE: stage.testKeysGenerate ? 'on' : undefined,
    REDIRECT_MAX_AGE_S: String(stage.redirectMaxAgeS),
    EVENT_BUS: stage.eventBus,
  } as const;
}

/** JSON in ASCII: CloudFormation hands all other characters of a template back as question marks. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
