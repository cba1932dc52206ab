/** Which answers of the renderer hold a placeholder. */

import { readPlaceholderMade } from '../../lambda/images/renderer-answer';
import { aPlaceholder } from '../fakes/stock';

it('reads the placeholder that was made', () => {
  expect(readPlaceholderMade({ outcome: 'made', placeholder: aPlaceholder })).toEqual(aPlaceholder);
});

it.each([
  ['no answer', undefined],
  ['null', null],
  ['a job without an answer', { outcome: 'done' }],
  ['a rendition', { outcome: 'stored', placeholder: aPlaceholder }],
  ['a malformed placeholder', { outcome: 'made', placeholder: { ...aPlaceholder, color: 'red' } }],
])('reads none from %s', (_, answer) => {
  expect(readPlaceholderMade(answer)).toBeUndefined();
});
