/** A valid request for an image, and the canonical forms in which it is compared and cached. */

import { createHash } from 'node:crypto';
import type { StockSlot } from '../../contract/providers';
import type { Style, Visibility } from '../../contract/request-bounds';

interface RequestBasics {
  /** Normalised for display: NFKC, trimmed, inner white space collapsed, letters as given. */
  readonly query: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Whether the answer is the JSON record instead of the redirect. */
  readonly asJson: boolean;
}

export interface StockRequest extends RequestBasics {
  readonly provider: StockSlot;
  /** Picks another candidate, deterministically; empty by default. */
  readonly seed: string;
}

export interface AiRequest extends RequestBasics {
  readonly provider: 'ai';
  readonly style: Style;
  readonly visibility: Visibility;
  /** At most one of the two is present. */
  readonly variation?: number;
  readonly alt?: number;
}

export type ImageRequest = StockRequest | AiRequest;

/**
 * The query as identity: what two requests must share to mean the same words. Hyphens and underscores count as spaces,
 * as in the path form.
 */
export function identityOf(query: string): string {
  return query
    .toLowerCase()
    .replace(/[-_ ]+/g, ' ')
    .trim();
}

/**
 * Lower-case hex SHA-256 of everything that decides which image a request gets. Both forms of the same request have
 * the same one; the key, `format` and unknown parameters are no part of it.
 */
export function fingerprintOf(request: ImageRequest): string {
  const { query, widthPx, heightPx } = request;
  const common = [identityOf(query), widthPx, heightPx];
  const particular =
    request.provider === 'ai'
      ? ['ai', request.style, request.visibility, request.variation ?? null, request.alt ?? null]
      : [request.provider, request.seed];
  return sha256Hex(JSON.stringify([...common, ...particular]));
}

/** Lower-case hex SHA-256 of a text. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
