/** Defines the settings of a stage, each with its default and its purpose. */

import * as z from 'zod';
import * as mini from 'zod/mini';
import { generatorSchemas } from '../lambda/contract/generators';
import { planNames, unlimitedRequests } from '../lambda/contract/plans';
import {
  findDeliveryFault,
  providerQuotaMax,
  type SlotBindings,
  stockProviders,
  stockSlots,
} from '../lambda/contract/providers';
import { aiLabels, generationsPerDayMax, imageDeliveries } from '../lambda/contract/settings';
import { tableNames, tables } from '../lambda/contract/tables';

export const stageNames = ['dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

const makeOptional = <S extends z.ZodType>(schema: S, purpose: string) => schema.optional().describe(purpose);
const makeInteger = (min: number, max: number) => z.int().min(min).max(max);
const shortText = z.string().min(1).max(300);
const webUrl = z.url({ protocol: /^https?$/ });
/**
 * A URL or an e-mail address in ASCII, because CloudFormation turns other characters of a template into question
 * marks. It has no `"` and no `\`, which would end a text in JSON.
 */
const contact = z
  .union([webUrl, z.email()], 'must be a URL or an e-mail address')
  .refine((text) => /^[ !#-[\]-~]{1,200}$/.test(text), 'must be at most 200 ASCII characters, no " or \\');

/**
 * Providers that need no key. `stock_c` is Wikimedia Commons again, unlike in `npm start -- --photos`: Openverse
 * grants 200 requests a day without a registered client, which two slots would use up twice as fast.
 */
const defaultBindings: SlotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'wikimedia' };

const providerQuota = z
  .strictObject({
    perMinute: makeOptional(
      makeInteger(1, providerQuotaMax.perMinute),
      'Requests a minute that a provider grants you, in place of its documented limits; an unnamed window has no limit',
    ),
    perHour: makeOptional(makeInteger(1, providerQuotaMax.perHour), 'The same for an hour'),
    perDay: makeOptional(makeInteger(1, providerQuotaMax.perDay), 'The same for a day'),
  })
  .refine((quota) => Object.keys(quota).length > 0, 'must name perMinute, perHour or perDay');

const [sandbox, bedrock, openAi] = generatorSchemas;
/** The fields of generators that a stage may set. Other fields are for the local service. */
const generatorChoices = [
  mini.pick(sandbox, { kind: true }),
  mini.pick(bedrock, { kind: true, modelId: true, region: true }),
  openAi,
] as const;

const monthlyLimit = makeInteger(1, unlimitedRequests);
const plan = z.strictObject({
  monthlyRequests: makeOptional(monthlyLimit, 'Requests of a month; else as in README'),
  generationsPerMonth: makeOptional(monthlyLimit, 'AI images of a month; else as in README'),
  perSecond: makeOptional(makeInteger(1, 10_000), 'Requests a second; else as in [Scale](operate.md#scale)'),
  texts: z
    .strictObject({
      title: makeOptional(shortText, 'Name of the plan on the public page'),
      price: makeOptional(shortText, 'Price on the public page, such as `$29 per month`'),
      features: makeOptional(shortText, 'Further features, such as `priority support`'),
    })
    .optional(),
});

const site = z.strictObject({
  name: makeOptional(shortText.max(60), 'Name of the service on its public page'),
  logo: makeOptional(webUrl, 'Image beside the name'),
  contact: makeOptional(contact, 'Address for questions, on the page, in errors, and for providers that ask'),
  imprint: makeOptional(contact, 'Link in the footer'),
  privacy: makeOptional(contact, 'Link in the footer'),
});

const domain = z.strictObject({
  name: z.hostname().describe('Name of the host'),
  certificateArn: z
    .string()
    .regex(/^arn:aws[\w-]*:acm:/, 'must be the ARN of a certificate')
    .describe('Its certificate, in [the right region](operate.md#a-domain-step-by-step)'),
});

/** The tables that can be restored, because they have point-in-time recovery. */
const durableTables = tableNames.filter((name) => tables[name].isDurable);
const nameOfTable = z.string().regex(/^[\w.-]{3,255}$/, 'must be the name of a table');

/** Lists the settings. `npm run synth` copies their descriptions and defaults to docs/settings.md. */
function listSettings(isProd: boolean) {
  return {
    installation: makeOptional(
      z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,19}$/, 'must be a letter and up to 19 letters, digits or -'),
      'Part of the name of the stack, to deploy a stage twice into one account: a letter, then up to 19 letters, digits and hyphens',
    ),
    architecture: z.enum(['arm64', 'x86_64']).default('arm64').describe('Processor of the functions'),
    logRetentionDays: z
      .literal([1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731])
      .default(isProd ? 90 : 7)
      .describe('Days that logs are kept'),
    keepsData: z
      .boolean()
      .default(isProd)
      .describe(
        'Tables, images and secrets outlive the stack, the stack refuses to be deleted, and new code of `ApiFunction` gets [a tenth](operate.md#upgrade) of the traffic first',
      ),
    alarmEmail: makeOptional(z.email(), 'Receives the alarms'),
    slotBindings: z
      .partialRecord(z.enum(stockSlots), z.enum(stockProviders))
      .default(defaultBindings)
      .transform((bindings): SlotBindings => ({ ...defaultBindings, ...bindings }))
      .describe('Provider behind each stock slot'),
    providerQuotas: z.partialRecord(z.enum(stockProviders), providerQuota).default({}),
    imageDelivery: z
      .enum(imageDeliveries)
      .default('provider')
      .describe(
        "Hosts of stock images: `provider` redirects to providers that crop their images themselves, `own` to the operator's host alone ([privacy](security.md#hosts))",
      ),
    generator: z.discriminatedUnion('kind', generatorChoices).prefault({ kind: 'bedrock-stability' }),
    generationsPerDay: makeInteger(1, generationsPerDayMax)
      .or(z.literal('off'))
      .default(isProd ? 2_000 : 200)
      .describe('AI images per UTC day for all accounts together; those of the sandbox do not count'),
    contentCredentials: z
      .enum(['self', 'secret', 'off'])
      .default('self')
      .describe(
        'Certificate that signs AI images (C2PA): made by the deployment, your own in the secret `ContentSecret`, or none',
      ),
    aiLabel: z.enum(aiLabels).default('off').describe('Visible mark in all AI images, as by `label=corner`'),
    plans: z.partialRecord(z.enum(planNames), plan).default({}),
    site: site.default({}),
    domains: z.strictObject({ api: domain.optional(), images: domain.optional() }).default({}),
    edge: z.boolean().default(false).describe('CloudFront serves the API and caches shared answers'),
    firewallRequestsPer5Min: makeInteger(10, 2_000_000_000)
      .or(z.literal('off'))
      .default(isProd ? 10_000 : 'off')
      .describe('Requests without a credential in five minutes, after which a firewall blocks an IP address'),
    keyVersion: makeInteger(1, 10_000)
      .default(1)
      .describe('Version of the keys of private URLs and AI images ([rotate](operate.md#rotate-keys))'),
    restoredTables: z
      .partialRecord(z.enum(durableTables), nameOfTable)
      .default({})
      .describe("[Restored](operate.md#back-up-and-restore) tables, by name, in place of the stack's own"),
    warmWrites: makeOptional(
      makeInteger(4_000, 40_000),
      'Writes a second of a new table of counters, paid once',
    ),
  } satisfies z.core.$ZodShape;
}

/** Creates the schema of a stage's settings. It fills in defaults, and refuses unknown settings. */
export const makeStageSchema = (name: StageName) =>
  z.strictObject(listSettings(name === 'prod')).superRefine((stage, context) => {
    const refuse = (path: string[], input: unknown, message: string | undefined) =>
      message === undefined || context.addIssue({ code: 'custom', path, message, input });
    refuse(['slotBindings'], stage.slotBindings, findDeliveryFault(stage.imageDelivery, stage.slotBindings));
    for (const host of stage.edge ? (['api', 'images'] as const) : (['images'] as const)) {
      const arn = stage.domains[host]?.certificateArn;
      if (arn && !arn.includes(':us-east-1:'))
        refuse(['domains', host, 'certificateArn'], arn, 'CloudFront takes certificates of us-east-1 only');
    }
  });

export type StageSettings = z.infer<ReturnType<typeof makeStageSchema>>;

/** Lists the environment variables that follow from settings. A variable that is not set is `undefined`. */
export function listStageVariables(stage: StageSettings) {
  const { generator, generationsPerDay } = stage;
  const isUnbounded = generationsPerDay === 'off' || generator.kind === 'sandbox';
  return {
    SLOT_BINDINGS: writeAsciiJson(stage.slotBindings),
    PROVIDER_QUOTAS: writeAsciiJson(stage.providerQuotas),
    AI_LABEL: stage.aiLabel,
    IMAGE_DELIVERY: stage.imageDelivery,
    CONTACT: stage.site.contact,
    SITE: writeAsciiJson(stage.site),
    PLANS: writeAsciiJson(stage.plans),
    GENERATOR: writeAsciiJson(generator),
    GENERATIONS_PER_DAY: isUnbounded ? undefined : String(generationsPerDay),
    EVENT_BUS: 'default',
  } as const;
}

/** Writes JSON in ASCII, because CloudFormation turns other characters of a template into question marks. */
export function writeAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
