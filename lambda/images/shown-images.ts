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
  /** When the account was first given it, ISO 8601. */
  readonly since: string;
  /** Names of the pages that batches were for. */
  readonly pages: readonly string[];
}

/** Writes which images accounts are given. */
export interface ShownImages {
  /** Notes an image for an account, once a day at most. Never throws. @param page of the batch that it is for */
  note(account: string, image: ServedImage, page?: string): Promise<void>;
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
