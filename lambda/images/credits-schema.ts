/** What `GET /api/credits` answers with, and the rows of `image-redirect rights`. */

import * as z from 'zod/mini';

const described = (text: string) => z.string().check(z.describe(text));

/** One image of `/api/credits`, and one row of `image-redirect rights`. */
const creditSchema = z.object({
  pick: described('Stable id of the image.'),
  provider: z.string(),
  creator: z.nullable(z.string()),
  license: described('Name of the licence.'),
  licenseUrl: z.nullable(z.string()),
  link: z.nullable(described('The page of the image at its source.')),
  creditLine: z.string(),
  creditDue: z.boolean().check(z.describe('Whether the credit line must be shown with the image.')),
  since: z.iso.datetime().check(z.describe('When the account was first given the image.')),
  pages: z.array(z.string()).check(z.describe('Names of pages, as batches give them.')),
  gone: z.boolean().check(z.describe('Whether a card is shown in its place.')),
  placeholder: z.nullable(described('A WebP of at most 16 pixels a side as a data URL.')),
});

/** An image as its account sees it. */
const ownCreditSchema = z.extend(creditSchema, {
  thumbnail: z.nullable(
    described(
      'A URL at which the account was given the image before; loading it costs nothing. It may end within hours.',
    ),
  ),
});

/** What `/api/credits` answers with. */
export const creditsSchema = z.object({
  account: z.string(),
  images: z.array(ownCreditSchema),
  next: z.nullable(described('The cursor of the next answer; null after the last one.')),
});

/** One part of the images that an account has shown. */
export type CreditsDocument = z.infer<typeof creditsSchema>;
/** What is told of a shown image wherever it is listed. */
export type CreditRow = z.infer<typeof creditSchema>;
/** What its account is told of one. */
export type OwnCreditRow = CreditsDocument['images'][number];
