/** Holds a record as the service sends it. */

import type { ImageRecord } from '../src/service';

export const record: ImageRecord = {
  url: 'https://photos.example.org/1.jpg',
  width: 600,
  height: 400,
  source: 'stock_a',
  cache: 'MISS',
  imageId: null,
  aiGenerated: false,
  attribution: {
    providerName: 'Example',
    creditLine: 'Photo by Ada on Example',
    license: { id: 'cc0-1.0', name: 'CC0 1.0' },
  },
  alt: 'A lake below mountains',
  altLang: 'en',
  title: null,
  color: '#336699',
  placeholder: { dataUri: 'data:image/webp;base64,UklGRg==' },
  fit: 'exact',
  fallback: null,
  pick: 'p1',
  src: null,
  note: null,
  srcset:
    'https://img.example.com/api/image?query=sea&avoid=people,text&width=640 640w, https://img.example.com/api/image?query=sea&width=1280 1280w',
  html: '<img src="https://photos.example.org/1.jpg">',
  expiresAt: null,
};
