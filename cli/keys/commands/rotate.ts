/** `keys rotate`: creates a successor of an API key. */

import { showIssued } from '../issued-view';
import { rotateOf } from './rotate-of';

export const rotate = () =>
  rotateOf('key', {
    texts: {
      summary: 'Create a successor of a key; the old key works until the overlap ends.',
      details: 'With an overlap of 0 it stops working everywhere within a minute.',
      examples: [
        'keys rotate key_0123456789abcdef01',
        'keys rotate key_0123456789abcdef01 --overlap 7d --json',
      ],
      overlapping: 'both keys',
      overlap: '24h',
      consequence: 'It stops working everywhere within a minute.',
    },
    rotate: ({ keys }, keyId, overlapMs) => keys.rotate(keyId, overlapMs),
    show: showIssued,
  });
