/** The response bodies as JSON Schema. */

import { batchBounds, pageKeptMs } from '../../contract/batch';
import { bounds, imageParameters } from '../../contract/parameters';
import { defaultPlans, planNames, unlimitedRequests, usageHistoryMonths } from '../../contract/plans';
import { imageSources } from '../../contract/providers';
import { sidePx } from '../../contract/request-bounds';
import { altCharactersMax } from '../../images/alt-text';
import { type ProblemCode, problems } from '../../problems/problem';
import { codesAt } from './codes-at';
import type { Schema } from './types';

const withDays = planNames.filter((name) => defaultPlans[name].analytics !== 'totals').join(', ');
const withKeys = planNames.filter((name) => defaultPlans[name].analytics === 'by-key').join(' and ');

const text = { type: 'string' } as const;
const url = { type: 'string', format: 'uri' } as const;
const name = { type: 'string', minLength: 1, maxLength: batchBounds.nameCharactersMax } as const;
const moment = { type: 'string', format: 'date-time' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const month = { type: 'string', pattern: '^\\d{4}-\\d{2}$' } as const;

/** An object whose properties are required unless listed as optional. */
function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}
export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** A problem document with one of these codes. */
export const problemOf = (codes: readonly ProblemCode[]): Schema => ({
  allOf: [schemaRef('Problem'), { type: 'object', properties: { code: { type: 'string', enum: codes } } }],
});

const summary = {
  requests: { ...count, description: 'Requests that returned an image, including free ones.' },
  bySource: { type: 'object', additionalProperties: count, propertyNames: { enum: imageSources } },
  byCache: object({ HIT: count, MISS: count }),
} as const;

const fit = {
  type: ['string', 'null'],
  enum: ['exact', 'partial', 'loose', null],
  description:
    'How much of the query the texts of a stock image cover: every content word, some, or none. null for AI images.',
} as const;

const fallback = {
  type: ['string', 'null'],
  enum: ['other_image', null],
  description: 'other_image where the usual image of the query cannot fill this size.',
} as const;

/** By name, as in the document's components. */
export const schemas: Readonly<Record<string, Schema>> = {
  Image: object({
    url: { ...url, description: 'URL of the image, which has exactly the requested size.' },
    width: { type: 'integer', minimum: sidePx.min, maximum: sidePx.max },
    height: { type: 'integer', minimum: sidePx.min, maximum: sidePx.max },
    source: { type: 'string', enum: imageSources },
    cache: { type: 'string', enum: ['HIT', 'MISS'] },
    imageId: { type: ['string', 'null'], description: 'Id of an AI image; null for stock images.' },
    fit,
    fallback,
    attribution: schemaRef('Attribution'),
  }),
  Record: object({
    url: {
      ...url,
      description: 'URL of the image, which has exactly the requested size. It may end, see expiresAt.',
    },
    width: { type: 'integer', minimum: sidePx.min, maximum: sidePx.max },
    height: { type: 'integer', minimum: sidePx.min, maximum: sidePx.max },
    source: { type: 'string', enum: imageSources },
    cache: { type: 'string', enum: ['HIT', 'MISS'] },
    imageId: { type: ['string', 'null'], description: 'Id of an AI image; null for stock images.' },
    attribution: schemaRef('Attribution'),
    alt: { ...text, maxLength: altCharactersMax, description: 'Alternative text of the image.' },
    title: { type: ['string', 'null'] },
    color: { type: ['string', 'null'], pattern: '^#[0-9a-f]{6}$', description: 'Average colour.' },
    placeholder: {
      anyOf: [
        object({
          dataUri: { ...text, description: 'A WebP of at most 16 pixels a side as a data URL.' },
          thumbhash: { ...text, description: 'ThumbHash of the image in base64.' },
        }),
        { type: 'null' },
      ],
    },
    fit,
    fallback,
    pick: { type: ['string', 'null'], description: 'Stable id of the image, the same at every size.' },
    srcset: {
      type: ['string', 'null'],
      description: 'URLs of the service for the usual widths; null for AI images.',
    },
    html: { ...text, description: 'Ready markup with the credit line where the licence asks for it.' },
    expiresAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When url may stop working or the same request may return another image.',
    },
  }),
  Batch: object(
    {
      page: {
        ...name,
        description: `Images of one page never repeat, across calls of the account too; kept for ${pageKeptMs / 86_400_000} days.`,
      },
      images: { type: 'array', minItems: 1, maxItems: batchBounds.imagesMax, items: schemaRef('BatchImage') },
    },
    ['page'],
  ),
  BatchImage: object(
    {
      slot: { ...name, description: 'Names the image within the page; different for each image.' },
      ...Object.fromEntries(
        imageParameters.map((each) => [each, { type: ['string', 'number'], description: bounds[each] }]),
      ),
    },
    imageParameters.filter((each) => each !== 'query'),
  ),
  BatchResult: object({
    images: {
      type: 'object',
      additionalProperties: { anyOf: [schemaRef('Record'), problemOf(codesAt('slot'))] },
    },
  }),
  Attribution: object(
    {
      providerName: { ...text, description: 'Where the image comes from, such as Wikimedia Commons.' },
      creator: text,
      creatorUrl: text,
      landingUrl: { ...text, description: 'The page of the image at its source.' },
      license: object({ id: text, name: text, url: text }, ['url']),
      creditLine: { ...text, description: 'Ready to display next to the image.' },
    },
    ['creator', 'creatorUrl', 'landingUrl'],
  ),
  Problem: object(
    {
      type: { ...url, description: 'URL of the explanation of the code.' },
      title: text,
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { ...text, description: 'What happened and how to resolve it.' },
      code: { type: 'string', enum: Object.keys(problems) },
      requestId: { ...text, description: 'Include it when you contact support.' },
      parameters: {
        type: 'array',
        description: 'Each invalid parameter with its bounds.',
        items: object({ parameter: text, bounds: text }),
      },
    },
    ['parameters'],
  ),
  Usage: object(
    {
      account: text,
      accountName: { ...text, description: 'Name of the account, if the operator has given it one.' },
      plan: { type: 'string', enum: planNames },
      mode: { type: 'string', enum: ['live', 'test'], description: 'The kind of key that was used.' },
      window: object({ kind: { type: 'string', enum: ['month', 'hour'] }, start: moment, end: moment }),
      limit: { ...count, description: `Requests in the window; ${unlimitedRequests} means unlimited.` },
      used: { ...count, description: 'Charged requests, exact.' },
      remaining: count,
      reset: moment,
      generations: {
        ...object({ limit: count, used: count }),
        description:
          'Images generated for the account in the month, free variations included; for live keys.',
      },
      breakdown: schemaRef('UsageBreakdown'),
      history: {
        type: 'array',
        description: `The last ${usageHistoryMonths} months, oldest first; plans ${withKeys}.`,
        items: object({ month, ...summary, byKey: schemaRef('UsageByKey') }),
      },
    },
    ['accountName', 'generations', 'breakdown', 'history'],
  ),
  UsageBreakdown: {
    ...object(
      {
        month,
        ...summary,
        byDay: { type: 'array', items: object({ date: { type: 'string', format: 'date' }, ...summary }) },
        byKey: schemaRef('UsageByKey'),
      },
      ['byKey'],
    ),
    description: `The running month; plans ${withDays}; byKey for ${withKeys}.`,
  },
  UsageByKey: {
    type: 'array',
    items: object({ keyId: text, name: text, requests: count, free: count }, ['name']),
  },
};
