/** The items of the fake DynamoDB, in DynamoDB's JSON: one key, one known image, one counter. */

import type { DeliveryUrl, ServedImage } from '../../../lambda/images/image';

/** Name of the API keys table; all other tables hold images and counters. */
export const apiKeysTable = 'bench-api-keys';

export const image: ServedImage = {
  location: 'https://images.example.org/r/5d/5d41402abc4b2a76b9719d911017c592-1080x1350.jpeg' as DeliveryUrl,
  widthPx: 1080,
  heightPx: 1350,
  source: 'stock_a',
  attribution: {
    providerName: 'Openverse',
    creator: 'Ana Example',
    landingUrl: 'https://photos.example.org/1234567890',
    license: {
      id: 'cc-by-4.0',
      name: 'CC BY 4.0',
      url: 'https://creativecommons.org/licenses/by/4.0/',
    },
    creditLine: '"Café terrace" by Ana Example, CC BY 4.0, via Openverse',
  },
};

const years2090Ms = '3786912000000';

export const answers = {
  charge: {
    Attributes: { taken: { N: '17' }, spent: { N: '17' }, held: { N: '0' }, ttl: { N: '3786912000' } },
  },
  image: {
    Item: {
      pk: { S: 'R#1' },
      value: { S: JSON.stringify(image) },
      freshUntilMs: { N: years2090Ms },
      staleUntilMs: { N: years2090Ms },
      ttl: { N: '3786912000' },
    },
  },
  key: {
    Item: {
      pk: { S: 'K#1' },
      keyId: { S: 'key_demo_live' },
      account: { S: 'acct_demo' },
      mode: { S: 'live' },
      plan: { S: 'free' },
      name: { S: 'demo' },
      createdAt: { S: '2026-01-01T00:00:00Z' },
    },
  },
} as const;
