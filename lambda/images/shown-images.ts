/** The images that an account has shown, and what their licences ask for. */

import * as z from 'zod/mini';
import { asksForCredit } from './credit';
import type { ServedImage } from './image';
import type { Attribution } from './record';

export interface ShownImage {
  readonly pick: string;
  readonly attribution: Attribution;
  /** When the account was first given it, ISO 8601. */
  readonly since: string;
  /** Names of the pages that batches were for. */
  readonly pages: readonly string[];
}

export interface ShownImages {
  /** Notes an image for an account, once a day at most. Never throws. @param page of the batch that it is for */
  note(account: string, image: ServedImage, page?: string): Promise<void>;
}

export interface ReadShownImages {
  /**
   * In the order in which they were first shown; eventually consistent.
   * @param after where an earlier answer ended
   * @throws `RangeError` for a place that no answer ended at, and when the table fails
   */
  of(account: string, wanted?: { readonly page?: string; readonly after?: string }): Promise<ShownPage>;
}

export interface ShownPage {
  readonly images: readonly ShownImage[];
  /** Where the next answer goes on; absent after the last one. */
  readonly next?: string;
}

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
  creditDue: z.boolean().check(z.describe('Whether the credit line has to stand beside the image.')),
  since: z.iso.datetime().check(z.describe('When the account was first given the image.')),
  pages: z.array(z.string()).check(z.describe('Names of pages, as batches give them.')),
});

export const creditsSchema = z.object({
  account: z.string(),
  images: z.array(creditSchema),
  next: z.nullable(described('The cursor of the next answer; null after the last one.')),
});

export type CreditsDocument = z.infer<typeof creditsSchema>;
export type CreditRow = CreditsDocument['images'][number];

export function creditRowOf({ pick, attribution, since, pages }: ShownImage): CreditRow {
  const {
    providerName: provider,
    creator = null,
    license,
    landingUrl: link = null,
    creditLine,
  } = attribution;
  const { name, url: licenseUrl = null } = license;
  const creditDue = asksForCredit(license);
  return {
    pick,
    provider,
    creator,
    license: name,
    licenseUrl,
    link,
    creditLine,
    creditDue,
    since,
    pages: [...pages],
  };
}
