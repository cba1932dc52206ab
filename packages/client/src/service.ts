/** Defines the records, problems, listed values and bounds that the service and its callers share. */

export interface Attribution {
  readonly providerName: string;
  readonly creator?: string;
  readonly creatorUrl?: string;
  readonly landingUrl?: string;
  readonly license: {
    /** In lower case, like an SPDX id: cc-by-4.0, cc0-1.0, pexels. */
    readonly id: string;
    readonly name: string;
    readonly url?: string;
  };
  readonly creditLine: string;
}

/** The record of an image. A value that is not known is `null`; in `attribution` it is absent. */
export interface ImageRecord {
  /** URL of the image in exactly the requested size. It may stop working at expiresAt. */
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
  /** Average colour, as #rrggbb. */
  readonly color: string | null;
  /** `dataUri` is a WebP with sides of at most 16 pixels. */
  readonly placeholder: { readonly dataUri: string } | null;
  /** How well the texts of a stock image match the query; null for AI images. */
  readonly fit: 'exact' | 'partial' | 'loose' | null;
  /** gone: the image is gone at its source or was taken down, and url is of a card in its colour. */
  readonly fallback: 'gone' | null;
  /** Id of the image. It is the same at every size, and does not change. */
  readonly pick: string | null;
  readonly src: string | null;
  readonly srcset: string | null;
  /** Markup of the image, with the credit line if the licence asks for one; null if note says why. */
  readonly html: string | null;
  /** Says what was not done as requested, such as why the URLs are not published. */
  readonly note: string | null;
  /** When url may stop working; null for a URL of the provider. src, srcset and html keep working. */
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
    /** The first 40 printable characters of the value, or `empty`. Never a credential. */
    readonly received?: string;
  }[];
}

/** The reasons for an image of a page to be filled or drawn (`replaced`), kept, or left. */
export const reasons = {
  replaced: ['asked', 'placeholder', 'invented', 'stock', 'empty', 'missing'],
  kept: ['owner', 'template', 'script', 'code', 'link', 'unknown'],
  left: ['no_words', 'no_image_found', 'quota_exceeded', 'generation_in_progress'],
} as const;

/** A row of the report on a page: an image, and what became of it. */
export interface ReportRow {
  /** From 1. */
  readonly line: number;
  /** The first 200 characters of the URL that stood there; empty for none. */
  readonly was: string;
  /** drawn: a box or initials. kept: not known to be a placeholder. left: still to be filled. */
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

/** The values of each parameter that has a list of them, the default first. */
export const listedValues = {
  provider: ['stock_a', 'stock_b', 'stock_c', 'ai'],
  style: ['photo', 'minimal', 'dark', 'illustration'],
  /** The audience of an AI image: its account alone, or everybody. */
  visibility: ['private', 'public'],
  avoid: ['people', 'text'],
  /** The use that the licence of a stock image must allow: any on offer, use without a credit, or any use. */
  license: ['any', 'attribution-free', 'public-domain'],
  /** The part of a stock image to keep if its ratio is not the requested one. */
  crop: ['attention', 'center', 'faces', 'top', 'bottom', 'left', 'right'],
  onmiss: ['ai'],
  /** The place of “AI” on an AI image. */
  label: ['corner'],
  variation: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
} as const;

export type ListedValues = {
  readonly [Name in keyof typeof listedValues]: (typeof listedValues)[Name][number];
};

export const signedParameters: readonly string[] = (
  'alt avoid color crop height label lang license onmiss pick ' +
  'provider query seed style upto variation visibility width'
).split(' ');

/** The bounds of a side, and the size of an image if its request has none; in pixels. */
export const sidePx = { min: 100, max: 4000, defaultWidth: 1920, defaultHeight: 1080 } as const;

export const batchImagesMax = 24;
export const batchExcludedMax = 200;

/** The widths, in pixels, for a URL signed with `upto`. They are few, because each makes a rendition. */
export const uptoWidthsPx: readonly number[] = [
  128, 256, 384, 480, 640, 750, 828, 960, 1080, 1200, 1280, 1600, 1668, 1920, 2048, 2560, 3200, 3840,
];
