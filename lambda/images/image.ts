/** The forms of an image: a provider's description, a candidate of a search, and the image that is served. */

import type { ImageSource, StockProviderName } from '../contract/providers';
import type { Label } from '../contract/request-bounds';
import type { Size } from '../requests/rendition';
import type { ProviderUrl } from './allowed-url';
import type { DeliveryUrl } from './delivery-urls';
import type { Attribution, ImageRecord } from './record';

/** A provider's description of an image: plain JSON of at most 400 bytes, as a choice stores twenty of them. */
export interface Description {
  /** Place in the provider's reply, from 1. */
  readonly rank: number;
  readonly title?: string;
  readonly alt?: string;
  /** Language of the texts (BCP 47); absent if it is not known. */
  readonly lang?: string;
  /** There are at most 12. */
  readonly tags?: readonly string[];
  readonly isFeatured?: true;
  /** Average colour, `#rrggbb`. */
  readonly color?: string;
  /** Match of the provider's full texts with the words of the query; absent for an image found by its id. */
  readonly match?: { readonly score: number; readonly coverage: number };
}

/** An image that a stock provider offers for a query. It is plain JSON, because it is stored. */
export interface Candidate {
  readonly id: string;
  readonly widthPx?: number;
  readonly heightPx?: number;
  /** The provider's URL of the image. The adapter derives from it the URLs to redirect to or to fetch. */
  readonly sourceUrl: string;
  readonly attribution: Attribution;
  readonly description: Description;
  /** Further values for the adapter's `offerImage`: a download ping, a smaller rendition, a recipe. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The orientation of an image. It is `square` if the sides differ by a tenth or less. */
export type Orientation = 'landscape' | 'portrait' | 'square';

/** Returns the orientation of a size in pixels. */
export function getOrientation({ widthPx, heightPx }: Size): Orientation {
  const ratio = widthPx / heightPx;
  if (ratio > 1.1) return 'landscape';
  return ratio < 1 / 1.1 ? 'portrait' : 'square';
}

/** Computes the scale at which an original covers a size. Above 1 the original is enlarged. */
export function computeCoverScale(original: Size, size: Size): number {
  return Math.max(size.widthPx / original.widthPx, size.heightPx / original.heightPx);
}

/** How much of a query an image covers: at least 85 % of the weight of its words, at least 30 %, or less. */
export type Fit = NonNullable<ImageRecord['fit']>;

/** Writes the note of an image, in ASCII, if it is a card or if the seeds of its query start over. */
export function writeImageNote({
  fallback,
  seedsStartOverAfter: imageCount,
}: Pick<ServedImage, 'fallback' | 'seedsStartOverAfter'>): string | undefined {
  if (fallback === 'gone') return 'The image was removed: a card stands in its place';
  if (imageCount === undefined) return undefined;
  return `The query has ${imageCount} ${imageCount === 1 ? 'image' : 'images'}: higher seeds start over`;
}

/** Small picture to show until an image is loaded. */
export interface Placeholder {
  /** Average colour, `#rrggbb`. */
  readonly color: string;
  /** A data URL of a WebP with the image's ratio and at most 16 pixels a side. */
  readonly dataUri: string;
}

/** An image with the URL that delivers it, and all texts and numbers of its record. */
export interface ServedImage {
  readonly location: DeliveryUrl | ProviderUrl;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The stock slot that served it, or `ai`. */
  readonly source: ImageSource;
  readonly attribution: Attribution;
  /** Share of the query that the image covers; absent for AI images. */
  readonly fit?: Fit;
  /** Present for the card of an image that is gone at its source, or that the operator took down. */
  readonly fallback?: 'gone';
  /** Alternative text. It is absent if only the query describes the image. */
  readonly alt?: string;
  /** Language of `alt` (BCP 47); absent if it is not known. */
  readonly altLang?: string;
  readonly title?: string;
  readonly color?: string;
  /** Absent if the service has not read the pixels. */
  readonly placeholder?: Placeholder;
  /** Number of images of the query. It is present if the seed is higher. */
  readonly seedsStartOverAfter?: number;
  readonly pick?: string;
  /** The URL for the report of each use. It is absent if the provider wants no reports. */
  readonly use?: { readonly provider: StockProviderName; readonly url: string };
  /** The label that the request for an AI image asks for. URLs of its other sizes ask for it too. */
  readonly label?: Label;
  readonly imageId?: string;
  /** The moment when `location` stops working; absent for public images. */
  readonly locationEndsMs?: number;
  /** The moment from which the request may get another image; absent if it never does. */
  readonly answerEndsMs?: number;
}
