/** Which answers of the renderer count, and which of them hold a placeholder. */

import { readRenditionOutcome } from '../../lambda/images/renderer-answer';
import { aPlaceholder } from '../fakes/stock';

const unusable = { outcome: 'unusable', reason: 'no image' };
it.each([
  ['an image with its placeholder', { outcome: 'stored', placeholder: aPlaceholder }],
  ['an image without one', { outcome: 'stored' }],
  ['an image whose source is gone', { outcome: 'gone' }],
  ['a source of no use', unusable],
  ['a source that is too small', { ...unusable, because: 'too-small' }],
  ['a source whose server did not answer', { ...unusable, because: 'unanswered' }],
])('reads %s as it is', (_, answer) => expect(readRenditionOutcome({ ...answer, more: 1 })).toEqual(answer));

it('leaves out what it does not know of an answer, and reads none of another form', () => {
  const answers = [
    { outcome: 'stored', placeholder: { ...aPlaceholder, dataUri: '"' } },
    { ...unusable, because: 'x' },
  ];
  expect(answers.map(readRenditionOutcome)).toEqual([{ outcome: 'stored' }, unusable]);
  for (const none of [undefined, null, 'stored', {}, { outcome: 'made' }, { outcome: 'unusable' }])
    expect(readRenditionOutcome(none)).toBeUndefined();
});
