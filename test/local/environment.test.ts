/** The models that a start reads from its environment. */

import { modelVariables } from '../../local/environment';

it.each([
  ['{"kind":"openai-compatible","model":"m"}', /JUDGE/],
  ['{"kind":"off","typo":1}', /typo/],
  ['{"kind":"fake"}', /--fake-providers/],
  ['nonsense', /JSON/],
])('JUDGE=%s is refused at the start', (JUDGE, reason) => {
  expect(() => modelVariables({ JUDGE }, undefined)).toThrow(reason);
});
