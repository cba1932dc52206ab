/** Puts a refusal into a card, where an image tag would show a broken image. */

import type { Size } from '../domain/image/image';
import { detailOf, problems, type Refusal } from '../domain/problem/problem';
import type { HttpResponse } from './http-response';

/** @param problem the same refusal as a problem document, whose headers the card keeps */
export async function cardResponse(
  problem: HttpResponse,
  refusal: Refusal,
  size: Size,
): Promise<HttpResponse> {
  // Most requests are served, and most refusals are documents: loaded on first need.
  const { errorCard } = await import('./error-card');
  const { code } = refusal;
  const { status, title } = problems[code];
  return {
    status,
    headers: {
      ...problem.headers,
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'X-Image-Fallback': code,
    },
    body: errorCard({ ...size, status, title, detail: detailOf(refusal), code }),
  };
}
