/** What a site says of its operator. */

import { siteLink } from '../../lambda/contract/settings';

test.each([
  ['ops@example.org', 'mailto:ops@example.org'],
  ['http://example.org/a', 'http://example.org/a'],
  ['https://example.org', 'https://example.org'],
  ['javascript:alert(1)', 'mailto:javascript:alert(1)'],
])('a link to %s leads to %s', (target, link) => {
  expect(siteLink(target)).toBe(link);
});
