/** The committed templates are those of the code, so that no change of what is deployed goes unread. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  normalise,
  reviewed,
  reviewedNames,
  reviewFile,
  stageTemplate,
} from '../../../tools/review/review-template';

test.each(reviewedNames)('the committed template of %s is current (else: npm run synth)', (name) => {
  const committed = readFileSync(join(__dirname, '..', '..', '..', reviewFile(name)), 'utf8');
  expect(normalise(stageTemplate(reviewed[name])).split('\n')).toEqual(committed.split('\n'));
});
