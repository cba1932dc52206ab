/** The settings of a stage: what each may be. */

import * as z from 'zod';
import { generationsPerDayMax, redirectMaxAgeSMax, signedCharges } from '../lambda/contract/environment';
import { waitingRequestsMax } from '../lambda/contract/executions';
import { type GeneratorChoice, generatorFacts } from '../lambda/contract/generators';
import { planLimitsMax, planNames, tiers } from '../lambda/contract/plans';
import { providerQuotaMax, stockProviders, stockSlots } from '../lambda/contract/providers';

const text = z.string().min(1);
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
const secretVersion = whole(1, 10_000);
/** A secret that is rotated by hand: the version in use, and all versions that are accepted. */
const versions = z
  .strictObject({ version: secretVersion, trusted: z.array(secretVersion).min(1).max(5).optional() })
  .transform(({ version, trusted = [version] }) => ({ version, trusted }))
  .refine(({ version, trusted }) => trusted.includes(version), 'the version must be among the trusted ones');
const hostedZone = z.strictObject({
  id: text.regex(/^[A-Z0-9]+$/, 'must be the id of a hosted zone'),
  name: text,
});
/** With its Route 53 zone, the DNS records are made too; without one they are the operator's. */
const domain = z.strictObject({
  name: text,
  certificateArn: text.startsWith('arn:'),
  hostedZone: hostedZone.optional(),
});
// CloudFormation hands a template's other characters back as question marks.
const ascii = text.regex(/^[ -~]*$/, 'must be ASCII');

/** As it is written, with the model on Bedrock that is the default where none is named; checked as the function checks it. */
const generator = z.unknown().transform((value, context): GeneratorChoice => {
  try {
    const choice = value as GeneratorChoice;
    // Any model: those that are known today are retired one day, and others come.
    return { ...choice, ...generatorFacts(choice).bedrockModel };
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message, input: value });
    return z.NEVER;
  }
});

/** Each setting by its name, with what it may be. */
export const settings = {
  /** Tells several installations in one account apart; part of the stack's name and of every global name. */
  installation: text
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,19}$/, 'must be 1 to 20 letters, digits and hyphens')
    .optional(),
  /** Processor of the functions. */
  architecture: z.enum(['arm64', 'x86_64']),
  /** Which provider answers for each stock slot. */
  slotBindings: z.record(z.enum(stockSlots), z.enum(stockProviders)),
  /** Base URLs that replace a provider's own, for tests against a fake provider. */
  providerEndpoints: z.partialRecord(z.enum(stockProviders), webUrl),
  /** Requests that a provider may be asked, where its operator and ours agreed on other limits than it documents. */
  providerQuotas: z.partialRecord(z.enum(stockProviders), providerQuota),
  /** What draws AI images. */
  generator,
  /**
   * Executions at once, reserved from the account's own limit: the most concurrent generations, the most renditions, and
   * the most keys being looked up. What waits for them cannot take these away; a new account cannot spare any.
   */
  generatorConcurrency: whole(1, 1_000).optional(),
  rendererConcurrency: whole(1, 1_000).optional(),
  authorizerConcurrency: whole(1, 1_000).optional(),
  /** Requests that may wait for AI images at once; by default a share of the executions of an account that has few. */
  waitingRequestsMax: whole(1, waitingRequestsMax).optional(),
  /** Images that may be generated per UTC day, for all accounts together; images of the sandbox cost nothing and do not count. */
  generationsPerDay: whole(1, generationsPerDayMax).or(z.literal('off')),
  /** Whether test keys may use the real generator too. */
  testKeysGenerate: z.boolean(),
  /** E-mail address or URL of the operator, sent to providers that ask for one. */
  contact: ascii.max(200).optional(),
  /** Limits that replace some of the default plans'. */
  plans: z.partialRecord(z.enum(planNames), limitsUpTo(planLimitsMax)),
  /** Seconds that a browser may keep a redirect. */
  redirectMaxAgeS: whole(0, redirectMaxAgeSMax),
  /** How often one image is charged that a signer or site key shows: once a UTC `day` or `month`, or per `request`. */
  signedCharge: z.enum(signedCharges),
  /** Burst protection of a usage-plan tier, for all its callers together. */
  throttles: z.record(z.enum(tiers), throttle),
  /**
   * Most requests that API Gateway admits from all callers together: of all routes together, and of each method of a route
   * that no key protects.
   */
  floodLimits: z.strictObject({ everything: throttle, perOpenMethod: throttle }),
  /** Version of the key pair that signs URLs, and all versions whose signatures CloudFront takes. */
  signingKey: versions,
  logRetentionDays: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731]),
  /** Whether tables, images and secrets outlive the stack and refuse to be deleted. */
  keepsData: z.boolean(),
  /** Whether new code gets a tenth of the traffic first and goes back when alarms fire. */
  canary: z.boolean(),
  /** Name of the EventBridge bus that receives events of accounts near their limit. */
  eventBus: text.regex(/^[\w./-]+$/, 'must be the name of an event bus'),
  alarmEmail: z.email().optional(),
  /** Monthly costs in US dollars above which `alarmEmail` is notified. */
  monthlyBudgetUsd: whole(1, 1_000_000).optional(),
  /** Requests in five minutes after which a web application firewall blocks an IP address, or `off`. */
  firewallRequestsPer5Min: z.union([whole(10, 2_000_000_000), z.literal('off')]),
  /** AI images in an hour above which the alarm fires. */
  generationsPerHourAlarm: whole(1, 1_000_000),
  /** Whether a CloudFront distribution stands before the API and keeps what the functions let shared caches keep. */
  edge: z.boolean(),
  /** Version of the secret that this distribution sends to the API, and all versions that the API accepts. */
  originLock: versions,
  /** Whether this stack sets the role by which API Gateway writes logs, one for each account and region. */
  setsApiGatewayLogRole: z.boolean(),
  /** Name and certificate of the API; the certificate lies in the stack's region, or with `edge` in us-east-1. */
  apiDomain: domain.optional(),
  /** Name of the image CDN; its certificate lies in us-east-1. */
  imageDomain: domain.optional(),
} satisfies z.core.$ZodShape;

/** All settings of a stage. */
export const schema = z.strictObject(settings);
