/** `keys site rotate`: creates a successor of a site key. */

import { rotateOf } from '../rotate-of';
import { showSiteKey } from './show-site-key';

export const rotateSiteKey = () =>
  rotateOf('site', {
    texts: {
      summary: 'Create a successor of a site key; the old one works until the overlap ends.',
      details:
        'It has the same origins and the same cap, which counts from zero: until the month ends, both together can spend twice the cap. With an overlap of 0 the old one stops working everywhere within a minute.',
      examples: ['keys site rotate site_0123456789abcdef01 --overlap 7d'],
      overlapping: 'both site keys',
      overlap: '30d',
      consequence: 'It stops working everywhere within a minute.',
    },
    rotate: ({ keys }, siteKeyId, overlapMs) => keys.rotateSiteKey(siteKeyId, overlapMs),
    show: showSiteKey,
  });
