/** What the documentation and the tools of models say of each parameter. */

import type { ParameterName } from './parameters';
import { queryCharactersMax, seedCharactersMax } from './request-bounds';

/** What a reader of the documentation learns about a parameter beside its schema and bounds. */
export interface ParameterText {
  /** What the parameter is for; code in backticks. */
  readonly purpose: string;
  /** In the fewest words, for models; absent where name and values are enough. */
  readonly hint?: string;
  readonly example?: string | number;
  /** The sources on which alone it has an effect; absent for all. */
  readonly appliesTo?: 'stock' | 'ai';
  /** Bounds in characters, which the schema states as a pattern: once more for people and for generated clients. */
  readonly characters?: { readonly minLength?: number; readonly maxLength: number };
}

/** By parameter; no image needs them, so they stand apart from what every start of the image function loads. */
export const parameterTexts: Readonly<Record<ParameterName, ParameterText>> = {
  query: {
    purpose: 'What the image should show, in a few words of any language.',
    hint: 'Two or three common words',
    example: 'mountain lake',
    characters: { minLength: 1, maxLength: queryCharactersMax },
  },
  provider: {
    purpose: 'Where the image comes from: one of three stock sources, or AI (requires a key).',
  },
  width: {
    purpose:
      'Width of the image in pixels. The image is cropped to cover exactly this size. One side alone takes the other from 16:9, within the bounds of both.',
    example: 1200,
  },
  height: {
    purpose: 'Height of the image in pixels.',
    example: 800,
  },
  style: {
    purpose: 'Style of an AI image. Applies to provider=ai only.',
    appliesTo: 'ai',
  },
  variation: {
    purpose:
      'Another image of the same AI concept. The same number returns the same image. Free when the base image exists in the same aspect ratio, style and visibility. Cannot be combined with alt.',
    appliesTo: 'ai',
  },
  alt: {
    purpose:
      'One of the public AI images that other accounts have generated for the same query. Free when there is one. Cannot be combined with variation.',
    appliesTo: 'ai',
  },
  visibility: {
    purpose: 'Whether a new AI image is private to your account, or available to other accounts through alt.',
    appliesTo: 'ai',
  },
  seed: {
    purpose:
      'Selects another stock image for the same query. `2` to `20` select the second best to the twentieth best; any other text draws one, good ones more often. Without a seed, and with `1`, the best image is returned. The same seed selects the same image at every size of one orientation. Where the query has fewer images, seeds start over, and the record’s `note` says so.',
    hint: '2 to 20: nth match',
    example: '2',
    appliesTo: 'stock',
    characters: { maxLength: seedCharactersMax },
  },
  avoid: {
    purpose:
      'What the stock image should not show: people, text, or both, as far as title, description and tags say.',
    hint: 'people, text or people,text',
    example: 'people',
    appliesTo: 'stock',
  },
  color: {
    purpose:
      'Preferred main colour of the stock image. Passed on to providers that search by colour; for the others, images that name the colour are preferred.',
    hint: 'Name or RRGGBB',
    example: 'blue',
    appliesTo: 'stock',
  },
  license: {
    purpose:
      'What the licence of the stock image has to allow. attribution-free: use without a credit. public-domain: any use, no rights reserved. A source without such an image is skipped.',
    example: 'attribution-free',
    appliesTo: 'stock',
  },
  lang: {
    purpose:
      'Language of `query`, as a BCP 47 tag. Passed on to providers that search by language; for the others, common nouns are translated into English. Without it the language is recognised by the words.',
    hint: 'Language of the query',
    example: 'pt-BR',
    appliesTo: 'stock',
  },
  crop: {
    purpose:
      'Which part of the stock image is kept when its ratio differs from the requested one. attention keeps what draws the eye; faces keeps faces where the provider detects them, else it equals attention.',
    appliesTo: 'stock',
  },
  onmiss: {
    purpose:
      'ai generates an image when no stock image covers any word of the query (requires a key). The generated image is priced and counted as provider=ai with visibility=private; the stock lookup is then free of charge.',
    appliesTo: 'stock',
  },
  label: {
    purpose:
      'corner draws a small mark, “AI”, into the lower right corner of an AI image. Stock images carry none. Some operators have every AI image carry it.',
    appliesTo: 'ai',
  },
  pick: {
    purpose:
      'Shows the image with this id from a record, whatever the words would find; `query` is then not required. An AI image is shown to its own account only.',
    hint: 'Of a record',
    example: '7f2c9b1e04d85a36c1f0',
  },
  format: {
    purpose:
      'json returns the record with status 200 instead of the redirect, which browser scripts cannot read.',
  },
  publish: {
    purpose:
      'What signs the URLs of a record: true, the default, is the newest signer of the account. With an API key.',
  },
  api_key: {
    purpose:
      'The API key, for callers that cannot send a header. It is secret and visible wherever the URL is: never put it into a page.',
  },
  upto: {
    purpose:
      'Largest size of the image as WxH, for example 1920x1080, signed in place of width and height, so that a page can build its srcset; only together with signer and signature. width is then one of a fixed list, which an error names, and at most W; height is derived when it is absent.',
  },
  signer: {
    purpose: 'The signer that has signed the URL. Its account pays: once per image and UTC day.',
  },
  expires: {
    purpose: 'When a signed URL stops working. Without it the URL works until its signer is revoked.',
  },
  signature: {
    purpose: 'The signature of a signed URL, over every parameter that decides the image.',
  },
  site: {
    purpose:
      'A site key, which may be published: it is bound to the origins of its pages and to a monthly cap. Stock images only.',
    appliesTo: 'stock',
  },
};
