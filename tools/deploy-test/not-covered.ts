/** What the deployment test cannot show, from the checklist for a real account, which is the one place that says so. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const heading = '## What the deployment test cannot show\n';

/**
 * @param root folder of the project
 * @throws `Error` when the checklist does not say it
 */
export function notCovered(root: string): readonly string[] {
  const [, section = ''] = readFileSync(join(root, 'docs', 'operate.md'), 'utf8').split(heading);
  const lines = [...(section.split('\n## ')[0] ?? '').matchAll(/^- (.+)$/gm)].map(([, text = '']) => text);
  if (lines.length === 0) throw new Error(`docs/operate.md has no list below "${heading.trim()}".`);
  return lines;
}
