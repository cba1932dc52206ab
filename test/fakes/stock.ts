/** Stock images and requests for them. */

import type { Placeholder, ServedImage } from '../../lambda/images/image';
import type { StockRequest } from '../../lambda/requests/image-request';
import { deliveryUrl } from './branded';

/** An image that nothing is wrong with. */
export const anImage: ServedImage = {
  location: deliveryUrl('https://images.example.org/stock/1-1920x1080.jpg'),
  widthPx: 1920,
  heightPx: 1080,
  source: 'stock_a',
  attribution: {
    providerName: 'Openverse',
    creator: 'Zoë Müller',
    creatorUrl: 'https://example.org/zoe',
    landingUrl: 'https://example.org/zoe/1',
    license: { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    creditLine: '“Lake” by Zoë Müller, CC BY 4.0',
  },
};

/** The answer to a request for which no provider has an image. */
export const noImage = { outcome: 'refused', refusal: { code: 'no_image_found' } } as const;

/** A placeholder of a form that every reader takes. */
export const aPlaceholder: Placeholder = {
  color: '#6a7b8c',
  dataUri: 'data:image/webp;base64,UklGRhIAAABXRUJQVlA4TAYAAAAvAAAAAAfQ',
};

/** A request of the first slot for 1920 × 1080 pixels. */
export function request(query: string, change: Partial<StockRequest> = {}): StockRequest {
  return {
    query,
    source: 'stock_a',
    seed: '',
    filters: {},
    widthPx: 1_920,
    heightPx: 1_080,
    asJson: false,
    ...change,
  };
}
