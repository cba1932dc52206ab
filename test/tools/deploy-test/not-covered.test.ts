/** What the deployment test prints at its end is a section of the checklist. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notCovered } from '../../../tools/deploy-test/not-covered';

const root = join(__dirname, '..', '..', '..');

test('each limit is read from the checklist, and nothing else of it', () => {
  const text = readFileSync(join(root, 'docs', 'operate.md'), 'utf8');
  const limits = notCovered(root);
  expect(limits.length).toBeGreaterThan(5);
  expect(text).toContain(`\n\n${limits.map((each) => `- ${each}`).join('\n')}\n\n## `);
});

test('a project without the list is refused before anything is started', () => {
  expect(() => notCovered(join(root, 'packages', 'client'))).toThrow();
});
