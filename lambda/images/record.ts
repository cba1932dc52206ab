/** The record of an image, as a schema for OpenAPI. A test compares it with the client's types. */

import * as z from 'zod/mini';
import { imageSources } from '../contract/providers';
import { altCharactersMax, sidePx } from '../contract/request-bounds';

const makeTextField = (text: string) => z.string().check(z.describe(text));
const optionalText = z.exactOptional(z.string());
/** A field that is `null` if the source does not know its value. */
const makeNullable = <Schema extends z.ZodMiniType>(schema: Schema, text: string) =>
  z.nullable(schema).check(z.describe(text));
const side = z.int().check(z.gte(sidePx.min), z.lte(sidePx.max));

/** The source of an image, its creator, licence and credit. */
export const attributionSchema = z.object({
  providerName: makeTextField('Where the image comes from, such as Wikimedia Commons.'),
  creator: optionalText,
  creatorUrl: optionalText,
  landingUrl: z.exactOptional(makeTextField('The page of the image at its source.')),
  license: z.object({
    id: makeTextField('SPDX-like and lower case, such as cc-by-4.0, cc0-1.0 or pexels.'),
    name: z.string(),
    url: optionalText,
  }),
  creditLine: makeTextField('Ready to display next to the image.'),
});

/**
 * The record of an image, for programs that show the image. A value that its source does not know is `null`, or
 * absent in `attribution`.
 */
export const recordSchema = z.object({
  url: z
    .url()
    .check(z.describe('URL of the image in exactly the requested size. It may stop working at expiresAt.')),
  width: side,
  height: side,
  source: z.enum(imageSources),
  cache: z.enum(['HIT', 'MISS']),
  imageId: makeNullable(z.string(), 'Id of an AI image; null for stock images.'),
  aiGenerated: z.boolean().check(z.describe('True if a model made the image.')),
  attribution: attributionSchema,
  alt: z.string().check(z.maxLength(altCharactersMax), z.describe('Alternative text of the image.')),
  altLang: makeNullable(z.string(), 'Language of alt as a BCP 47 tag; null where it is not known.'),
  title: z.nullable(z.string()),
  color: makeNullable(z.string().check(z.regex(/^#[0-9a-f]{6}$/)), 'Average colour, #rrggbb.'),
  placeholder: z.nullable(
    z.object({ dataUri: makeTextField('A WebP of at most 16 pixels a side as a data URL.') }),
  ),
  fit: makeNullable(
    z.enum(['exact', 'partial', 'loose']),
    'How much of the query the texts of a stock image cover, as in X-Image-Fit. null for AI images.',
  ),
  fallback: makeNullable(
    z.literal('gone'),
    'gone for the card of an image that is gone at its source or was taken down; null for every other.',
  ),
  pick: makeNullable(z.string(), 'Stable id of the image, the same at every size.'),
  src: makeNullable(z.string(), 'URL of the service for the src of a tag.'),
  srcset: makeNullable(z.string(), 'URLs of the service for the usual widths.'),
  html: makeNullable(
    z.string(),
    'Markup with the credit line if the licence requires one. null if note says why.',
  ),
  note: makeNullable(
    z.string(),
    'Says why the URLs are not published, or that the query has fewer images than the seed.',
  ),
  expiresAt: makeNullable(
    z.iso.datetime(),
    'When url may stop working; null for a URL of the provider. src, srcset and html keep working.',
  ),
});

/** The body of a redirect: the fields of the record that are known without further work. */
export const shortRecordSchema = z.pick(recordSchema, {
  url: true,
  width: true,
  height: true,
  source: true,
  cache: true,
  imageId: true,
  fit: true,
  fallback: true,
  attribution: true,
});

export type Attribution = Readonly<z.infer<typeof attributionSchema>>;
/** `id`: SPDX-like and lower case, or the name of a provider. */
export type License = Attribution['license'];
export type ImageRecord = Readonly<z.infer<typeof recordSchema>>;
export type ShortRecord = Readonly<z.infer<typeof shortRecordSchema>>;
