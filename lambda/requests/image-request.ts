/** A valid request for an image, and its fingerprint. */

import { sha256Hex } from '../base/hash';
import type { StockSlot } from '../contract/providers';
import type { Avoidable, Crop, Label, LicenseCondition, Style, Visibility } from '../contract/request-bounds';
import type { LabelledSize } from './rendition';

interface RequestBasics {
  /** NFKC, trimmed, with single spaces and letters as given; empty for a pick without words. */
  readonly query: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly asJson: boolean;
  /** The label on an AI image changes no stock image, and not which image it is. */
  readonly label?: Label;
  /** Id of the image to show: beside it, only the size, `crop` and `label` have an effect. */
  readonly pick?: string;
}

/** A valid request for a stock image. */
export interface StockRequest extends RequestBasics {
  /** The slot that the parameter `provider` names. */
  readonly source: StockSlot;
  /** Selects another image for the words; empty for the best one. */
  readonly seed: string;
  /** The filters that differ from the defaults, so that equal requests are equal objects. */
  readonly filters: Filters;
}

/** The conditions of a request on its image, beside the words. */
export interface Filters {
  /** At least one, each once, in the order of `avoidables`. */
  readonly avoid?: readonly Avoidable[];
  /** A `ColorName`, or six hexadecimal digits in lower case. */
  readonly color?: string;
  readonly license?: LicenseCondition;
  /** Language of the query (BCP 47), in lower case. */
  readonly lang?: string;
  readonly crop?: Exclude<Crop, 'attention'>;
  readonly onmiss?: 'ai';
}

/** A valid request for an AI image. */
export interface AiRequest extends RequestBasics {
  readonly source: 'ai';
  readonly style: Style;
  readonly visibility: Visibility;
  /** At most one of the two is present. */
  readonly variation?: number;
  readonly alt?: number;
}

/** A request whose parameters are all valid, with every default filled in. */
export type ImageRequest = StockRequest | AiRequest;

/** A request for an AI image by its id; an absent side follows from the other one and the image's ratio. */
export interface PermalinkRequest {
  readonly source: 'ai';
  readonly imageId: string;
  readonly size: Partial<LabelledSize>;
}

/** The defaults of a stock request, to which a pick or words are added. */
export const plainRequest: StockRequest = {
  query: '',
  source: 'stock_a',
  seed: '',
  filters: {},
  widthPx: 0,
  heightPx: 0,
  asJson: false,
};

/** Makes the request for the AI image that `onmiss=ai` makes in place of a stock image. */
export function makeAiRequest({ pick: _pick, seed, filters, ...basics }: StockRequest): AiRequest {
  return { ...basics, source: 'ai', style: 'photo', visibility: 'private' };
}

/** Normalises the words of a query: equal for `Mountain-Lake` and `mountain lake`, as in the path form. */
export function comparableWords(query: string): string {
  return query
    .toLowerCase()
    .replace(/[-_ ]+/g, ' ')
    .trim();
}

/**
 * Computes the SHA-256 (lower-case hex) of all that decides which image a request gets: the same for both
 * forms of a request. The key, `format` and unknown parameters have no part in it.
 */
export function computeFingerprint(request: ImageRequest): string {
  const { query, widthPx, heightPx, pick } = request;
  if (pick !== undefined) {
    const { crop } = (request.source === 'ai' ? plainRequest : request).filters;
    return sha256Hex(JSON.stringify(['pick', pick, widthPx, heightPx, ...(crop ? [crop] : [])]));
  }
  const hashedParts: unknown[] = [comparableWords(query), widthPx, heightPx, request.source];
  if (request.source === 'ai')
    hashedParts.push(request.style, request.visibility, request.variation ?? null, request.alt ?? null);
  else hashedParts.push(request.seed, ...filterTexts(request.filters));
  return sha256Hex(JSON.stringify(hashedParts));
}

/** Writes the filters as `name=value`, sorted; a filter that is added later is in every fingerprint. */
export function filterTexts(filters: Filters): readonly string[] {
  const entries = Object.entries(filters);
  return entries.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`])).sort();
}
