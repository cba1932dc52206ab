/** Declares the records and problems of the service, and the bounds that it shares with its callers. */

/** The source of an image, its creator, licence and credit. */
export interface Attribution {
  readonly providerName: string;
  readonly creator?: string;
  readonly creatorUrl?: string;
  readonly landingUrl?: string;
  readonly license: {
    /** SPDX-like and lower case, such as cc-by-4.0, cc0-1.0 or pexels. */
    readonly id: string;
    readonly name: string;
    readonly url?: string;
  };
  readonly creditLine: string;
}

/** The record of an image. A value unknown to its source is `null`; in `attribution` it is absent. */
export interface ImageRecord {
  /** URL of the image, which has exactly the requested size. It may end, see expiresAt. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly source: 'stock_a' | 'stock_b' | 'stock_c' | 'ai';
  readonly cache: 'HIT' | 'MISS';
  readonly imageId: string | null;
  readonly aiGenerated: boolean;
  readonly attribution: Attribution;
  readonly alt: string;
  /** Language of alt as a BCP 47 tag. */
  readonly altLang: string | null;
  readonly title: string | null;
  /** Average colour, #rrggbb. */
  readonly color: string | null;
  /** `dataUri`: a WebP of at most 16 pixels a side. */
  readonly placeholder: { readonly dataUri: string } | null;
  /** Match of a stock image's texts with the query; null for AI images. */
  readonly fit: 'exact' | 'partial' | 'loose' | null;
  /** gone: it is the card of an image that its source has removed. */
  readonly fallback: 'gone' | null;
  /** Stable id of the image, the same at every size. */
  readonly pick: string | null;
  readonly src: string | null;
  readonly srcset: string | null;
  /** Ready markup with the credit line where the licence asks for it; null where note says why. */
  readonly html: string | null;
  /** Says why the URLs are not published, or that the query has fewer images than the seed; else null. */
  readonly note: string | null;
  /** Moment at which url may stop working; null for a URL of its provider. src, srcset and html go on. */
  readonly expiresAt: string | null;
}

/** A problem document (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly parameters?: readonly {
    readonly parameter: string;
    readonly bounds: string;
    /** The first 40 printable characters of what was given, or empty; never a credential. */
    readonly received?: string;
  }[];
}

/** The reasons for which an image of a page is filled or drawn, kept, or left. */
export const reasons = {
  replaced: ['asked', 'placeholder', 'invented', 'stock', 'empty', 'missing'],
  kept: ['owner', 'template', 'script', 'code', 'link', 'unknown'],
  left: ['no_words', 'no_image_found', 'quota_exceeded', 'generation_in_progress'],
} as const;

/** The outcome of an image of a page that was filled. */
export interface FilledImage {
  /** From 1. */
  readonly line: number;
  /** The URL that stood there, at most 200 characters of it; empty for none. */
  readonly was: string;
  /** drawn: a box or initials. kept: it is not known to be a placeholder. left: still to be filled. */
  readonly outcome: 'filled' | 'drawn' | 'kept' | 'left';
  readonly reason: (typeof reasons)[keyof typeof reasons][number];
  readonly query: string | null;
  /** In CSS pixels. */
  readonly width: number | null;
  readonly height: number | null;
  readonly src: string | null;
  readonly pick: string | null;
  readonly note?: string;
}

/** Values of the parameters that are chosen from a list. */
export interface ListedValues {
  readonly provider: 'stock_a' | 'stock_b' | 'stock_c' | 'ai';
  readonly style: 'photo' | 'minimal' | 'dark' | 'illustration';
  readonly visibility: 'private' | 'public';
  readonly avoid: 'people' | 'text';
  readonly license: 'any' | 'attribution-free' | 'public-domain';
  readonly crop: 'attention' | 'center' | 'faces' | 'top' | 'bottom' | 'left' | 'right';
  readonly onmiss: 'ai';
  readonly label: 'corner';
  readonly variation: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
}

/** Parameters that a signature covers, since they decide which image a URL shows; in byte order. */
export const signedParameters: readonly string[] = (
  'alt avoid color crop height label lang license onmiss pick ' +
  'provider query seed style upto variation visibility width'
).split(' ');

/** Bounds of `width` and `height`, and the size of an image whose request names none; in pixels. */
export const sidePx = { min: 100, max: 4000, defaultWidth: 1920, defaultHeight: 1080 } as const;

/** Most images of one call for the images of a page. */
export const batchImagesMax = 24;
/** Most picks that one call excludes. */
export const batchExcludedMax = 200;

/**
 * Widths in which a URL signed with `upto` may be requested, in pixels: the usual ones and those of
 * frameworks. The list is closed, since it bounds the renditions that visitors of a page can order.
 */
export const uptoWidthsPx: readonly number[] = [
  128, 256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600, 1668, 1920, 2048, 2560, 3200, 3840,
];
