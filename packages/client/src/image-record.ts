/** The record of an image: what the service says about it beside its URL. What a source does not know is `null`. */

export interface ImageRecord {
  /** Where the image is now; it may end, so keep the service's own URL rather than this one. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly source: string;
  readonly cache: 'HIT' | 'MISS';
  readonly imageId: string | null;
  readonly attribution: Attribution;
  readonly alt: string;
  readonly title: string | null;
  /** `#rrggbb`. */
  readonly color: string | null;
  readonly placeholder: { readonly dataUri: string | null; readonly thumbhash: string | null } | null;
  /** How much of the query the image shows. */
  readonly fit: 'exact' | 'partial' | 'loose' | null;
  /** `other_image` where the usual image of the query cannot fill this size. */
  readonly fallback: 'other_image' | null;
  /** Stable id of the image, the same at every size. */
  readonly pick: string | null;
  /** The service's URLs of the usual widths, for the attribute. */
  readonly srcset: string | null;
  /** A ready tag, escaped. */
  readonly html: string | null;
  readonly expiresAt: string | null;
}

export interface Attribution {
  readonly providerName: string;
  readonly creator?: string;
  readonly creatorUrl?: string;
  /** The page of the image at its source. */
  readonly landingUrl?: string;
  /** Ready to print beside the image, where the licence asks for it. */
  readonly creditLine: string;
  readonly license: { readonly id: string; readonly name: string; readonly url?: string };
}

/** A problem document (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId?: string;
  readonly parameters?: readonly { readonly parameter: string; readonly bounds: string }[];
}

/**
 * The origins that a page connects to for records, for `<link rel="preconnect">`: of the image itself and of its `srcset`.
 */
export function hosts(...records: readonly Pick<ImageRecord, 'url' | 'srcset'>[]): string[] {
  const urls = records.flatMap(({ url, srcset }) => [url, ...(srcset ?? '').split(/\s\S{1,20},\s/)]);
  return [...new Set(urls.flatMap((url) => /^https?:\/\/[^/?#]+/.exec(url) ?? []))];
}
