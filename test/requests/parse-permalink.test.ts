/** What a permalink takes beside the image that it names. */

import { parsePermalink } from '../../lambda/requests/parse-permalink';

const parse = (values: Readonly<Record<string, readonly string[]>>) => parsePermalink({ values });

test.each<[string, Readonly<Record<string, readonly string[]>>, object]>([
  ['nothing', {}, { size: {}, asJson: false }],
  ['a width', { width: ['400'] }, { size: { widthPx: 400 } }],
  ['a height', { height: ['300'] }, { size: { heightPx: 300 } }],
  ['both sides', { width: ['400'], height: ['300'] }, { size: { widthPx: 400, heightPx: 300 } }],
  ['a label', { label: ['corner'] }, { size: { label: 'corner' } }],
  ['the format of a record', { format: ['json'] }, { asJson: true }],
  ['parameters of other requests', { query: ['sea', 'lake'], provider: ['none'], seed: ['x'] }, { size: {} }],
])('%s', (_, values, expected) => {
  expect(parse(values)).toMatchObject({ outcome: 'valid', ...expected });
});

test.each([
  ['width', ['9']],
  ['height', ['4001']],
  ['width', ['400', '400']],
])('%s=%j is refused by name', (name, values) => {
  expect(parse({ [name]: values })).toMatchObject({
    outcome: 'refused',
    refusal: { code: 'invalid_parameter', faults: [{ parameter: name }] },
  });
});
