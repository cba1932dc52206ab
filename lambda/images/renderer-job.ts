/** The messages from the image function to the renderer: a rendition, or work after the caller has been answered. */

import * as z from 'zod/mini';
import { type MessageOf, readMessage } from '../base/read-message';
import { crops, labels, queryCharactersMax, sidePx, styles } from '../contract/request-bounds';
import { renditionFormats } from '../requests/rendition';
import { isAllowedUrl, type ProviderUrl } from './allowed-url';
import { isLibraryPath, type LibraryPath, mediaTypeOfPath } from './library-path';

const path = z.custom<LibraryPath>(isLibraryPath, 'not a path of the image library');
const side = z.int().check(z.minimum(sidePx.min), z.maximum(sidePx.max));
const webUrl = z.url({ protocol: /^https?$/ });
/** An image at a provider; its URL is proved by `isOnListedHost`, which goes with these fields. */
const remoteImage = {
  url: z.custom<ProviderUrl>((value) => typeof value === 'string', 'not a URL'),
  allowedHosts: z.array(z.string().check(z.minLength(1))),
};
const isOnListedHost = z.refine<{ readonly url: string; readonly allowedHosts: readonly string[] }>(
  ({ url, allowedHosts }) => isAllowedUrl(url, allowedHosts),
  { path: ['url'], message: 'its host is not on the list' },
);
const shortText = z.string().check(z.maxLength(1_000));

/** Where the pixels come from. */
const source = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('drawing'),
    words: z.string().check(z.maxLength(queryCharactersMax)),
    seed: shortText,
    style: z.exactOptional(z.enum(styles)),
    variation: z.exactOptional(z.int()),
  }),
  z.object({ kind: z.literal('remote'), ...remoteImage }).check(isOnListedHost),
  z.object({ kind: z.literal('stored'), path }),
  /** A card in the colours of an image: of its placeholder, a data URL, or of one colour alone. */
  z.object({
    kind: z.literal('card'),
    placeholder: z.exactOptional(z.string().check(z.regex(/^data:image\/webp;base64,[\w+/=]{1,4000}$/))),
    color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  }),
]);

const renditionJob = z
  .object({
    /** Where it is stored in the image library; an image that is already there is not made again. */
    path,
    source,
    widthPx: side,
    heightPx: side,
    format: z.enum(renditionFormats),
    /** What is kept of an original of another ratio; `attention` by default. */
    crop: z.exactOptional(z.enum(crops)),
    /** Made from its source even where it is stored: to see whether the source still answers. */
    anew: z.exactOptional(z.boolean()),
    /** A mark that a model made the image. */
    label: z.exactOptional(z.enum(labels)),
    /** However much an original has to be enlarged. */
    enlarge: z.exactOptional(z.boolean()),
    /** Written into the image's metadata. */
    metadata: z.object({
      creditLine: shortText,
      aiGenerated: z.boolean(),
      generatedBy: z.exactOptional(z.object({ model: shortText, createdMs: z.int() })),
    }),
  })
  .check(
    z.refine((it) => mediaTypeOfPath(it.path) === `image/${it.format}`, {
      path: ['path'],
      message: 'its extension says another format',
    }),
  );

/** Where the pixels of a rendition come from. */
export type RenditionSource = MessageOf<typeof source>;
/** Makes one rendition. */
export type RenditionJob = MessageOf<typeof renditionJob>;

/** @throws `TypeError` that names each faulty field */
export function readRenditionJob(event: unknown): RenditionJob {
  return readMessage('rendition job', renditionJob, event);
}

/** Reports to a stock provider that one of its images is used. */
const useReport = z.object({
  kind: z.literal('report-use'),
  /** Name of the provider's adapter. */
  provider: z.string().check(z.minLength(1), z.maxLength(50)),
  /** The provider's own URL for this report, without a key. */
  url: webUrl,
});

/** Reports a use to a provider, after the caller has been answered. */
export type UseReport = MessageOf<typeof useReport>;

/**
 * The report, or `undefined` when the event has no `kind` and so is no report.
 * @throws `TypeError` when the kind is not known or a field is malformed
 */
export function readUseReport(event: unknown): UseReport | undefined {
  if (typeof event !== 'object' || event === null || !('kind' in event)) return undefined;
  return readMessage('report of a use', useReport, event);
}
