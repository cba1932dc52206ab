/**
 * `npm run diff`: it shows what a deployment would change, compared with the committed templates of a Git revision,
 * which `-- --base REVISION` names. It needs no account.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { stageNames } from '../../lib/stage-settings';
import { nameTemplateFile, synthesizeTemplate, writeTemplate } from './templates';

const { base } = parseArgs({ options: { base: { type: 'string', default: 'HEAD' } } }).values;
const app = mkdtempSync(join(tmpdir(), 'diff-'));
const committedTemplate = join(app, 'before.yaml');
for (const name of stageNames) {
  writeFileSync(committedTemplate, execFileSync('git', ['show', `${base}:${nameTemplateFile(name)}`]));
  writeFileSync(join(app, 'after.json'), JSON.stringify(parse(writeTemplate(synthesizeTemplate(name)))));
  const environment = 'aws://unknown-account/unknown-region';
  const properties = { templateFile: 'after.json' };
  const artifacts = { [name]: { type: 'aws:cloudformation:stack', environment, properties } };
  writeFileSync(join(app, 'manifest.json'), JSON.stringify({ version: '36.0.0', artifacts }));
  console.log(`### Stage ${name}\n\n\`\`\``);
  const options = ['--app', app, '--template', committedTemplate, '--no-color', '--no-notices', '--ci'];
  execFileSync('npx', ['cdk', 'diff', name, ...options], { stdio: 'inherit' });
  console.log('```\n');
}
rmSync(app, { recursive: true });
