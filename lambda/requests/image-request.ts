/** A valid request for an image, and its fingerprint. */

import { hashSha256 } from '../base/hash';
import type { StockSlot } from '../contract/providers';
import type { Avoidable, Crop, Label, LicenseCondition, Style, Visibility } from '../contract/request-bounds';
import type { LabelledSize } from './rendition';

interface RequestBasics {
  /** In NFKC, trimmed, with single spaces; upper case is kept. Empty for a pick without words. */
  readonly query: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly asJson: boolean;
  /** The label on an AI image. It has no effect on a stock image, and does not change the image's identity. */
  readonly label?: Label;
  /** The id of the image to show. With it, only the size, `crop` and `label` have an effect. */
  readonly pick?: string;
}

/** A valid request for a stock image. */
export interface StockRequest extends RequestBasics {
  /** The slot that the parameter `provider` names. */
  readonly source: StockSlot;
  /** Selects another image for the words. Empty means the best one. */
  readonly seed: string;
  /** Only the filters that differ from their defaults, so that equal requests are equal objects. */
  readonly filters: Filters;
}

/** The conditions on a stock image, in addition to the words. */
export interface Filters {
  /** At least one value, each once, in the order of `avoidables`. */
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

/** A valid request with every default filled in. */
export type ImageRequest = StockRequest | AiRequest;

/** A request for an AI image by its id. A missing side follows from the image's ratio. */
export interface PermalinkRequest {
  readonly source: 'ai';
  readonly imageId: string;
  readonly size: Partial<LabelledSize>;
}

/** The defaults of a stock request. A pick or words are added to them. */
export const stockDefaults: StockRequest = {
  query: '',
  source: 'stock_a',
  seed: '',
  filters: {},
  widthPx: 0,
  heightPx: 0,
  asJson: false,
};

/** Makes of a stock request the AI request that `onmiss=ai` falls back to. */
export function makeAiRequest({ pick: _pick, seed, filters, ...basics }: StockRequest): AiRequest {
  return { ...basics, source: 'ai', style: 'photo', visibility: 'private' };
}

/** Normalises the words of a query. `Mountain-Lake` and `mountain lake` are equal, as in the path form. */
export function normaliseWords(query: string): string {
  return query
    .toLowerCase()
    .replace(/[-_ ]+/g, ' ')
    .trim();
}

/** Says whether an AI image may answer a request. Such a request needs a key. */
export const mayBeAi = (request: ImageRequest): boolean =>
  request.source === 'ai' || request.filters.onmiss === 'ai';

/**
 * Computes the SHA-256 (lower-case hex) of everything that decides which image a request gets. It is the same
 * for the path form and the query form. The key, `format` and unknown parameters do not change it.
 */
export function computeFingerprint(request: ImageRequest): string {
  const { query, widthPx, heightPx, pick } = request;
  if (pick !== undefined) {
    const { crop } = (request.source === 'ai' ? stockDefaults : request).filters;
    return hashSha256(JSON.stringify(['pick', pick, widthPx, heightPx, ...(crop ? [crop] : [])]));
  }
  const hashedParts: unknown[] = [normaliseWords(query), widthPx, heightPx, request.source];
  if (request.source === 'ai')
    hashedParts.push(request.style, request.visibility, request.variation ?? null, request.alt ?? null);
  else hashedParts.push(request.seed, ...listFilterTexts(request.filters));
  return hashSha256(JSON.stringify(hashedParts));
}

/** Lists every filter as `name=value`, sorted. A filter that is added later is included too. */
export function listFilterTexts(filters: Filters): readonly string[] {
  const entries = Object.entries(filters);
  return entries.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`])).sort();
}
