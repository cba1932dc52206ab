/** The images that an account has shown, and what their licences ask for. */

import { asksForCredit } from './credit';
import type { CreditRow } from './credits-schema';
import type { ServedImage } from './image';
import type { PickedImages } from './picked-images';
import type { Attribution } from './record';

/** An image that an account was given, as it was credited last. */
export interface ShownImage {
  readonly pick: string;
  readonly attribution: Attribution;
  /** Where it was delivered when that was noted last, without a signature. */
  readonly location?: string;
  /** When the account was first given it, ISO 8601. */
  readonly since: string;
  /** Names of the pages that batches were for. */
  readonly pages: readonly string[];
}

/** How an account was given an image. */
export interface ShownHow {
  /** Name of the page whose batch it is for. */
  readonly page?: string | undefined;
  /** It was just searched for: it is written without a look at what is noted, as the account has hardly shown it before. */
  readonly isNew?: true;
}

/** Key of the item of an account and an image; with no pick the prefix of all items of the account. */
export const shownKey = (account: string, pick: string): string => `SHOWN#${account}#${pick}`;

/** Writes which images accounts are given. */
export interface ShownImages {
  /** Notes that an account was given an image. Never throws. */
  note(account: string, image: ServedImage, how?: ShownHow): Promise<void>;
}

/** Reads which images an account was given, page by page. */
export interface ReadShownImages {
  /**
   * In the order in which they were first shown; eventually consistent.
   * @param after where an earlier answer ended
   * @throws `RangeError` for a place that no answer ended at, and when the table fails
   */
  of(account: string, wanted?: { readonly page?: string; readonly after?: string }): Promise<ShownPage>;
}

/** One answer of a longer list. */
export interface ShownPage {
  readonly images: readonly ShownImage[];
  /** Where the next answer goes on; absent after the last one. */
  readonly next?: string;
}

/** The row of an image: by what was kept when it was shown, and what it is now. @throws when the table fails */
export async function creditRowOf(
  pickedImages: Pick<PickedImages, 'about'>,
  { pick, attribution, since, pages }: ShownImage,
): Promise<CreditRow> {
  const { isGone, placeholder } = await pickedImages.about(pick);
  const { license } = attribution;
  return {
    pick,
    provider: attribution.providerName,
    creator: attribution.creator ?? null,
    license: license.name,
    licenseUrl: license.url ?? null,
    link: attribution.landingUrl ?? null,
    creditLine: attribution.creditLine,
    creditDue: asksForCredit(license),
    since,
    pages: [...pages],
    gone: isGone,
    placeholder: placeholder?.dataUri ?? null,
  };
}
