/** The template of a stage in the form that is committed: what a reviewer reads, and nothing that changes by itself. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { stringify } from 'yaml';
import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { type StageName, stackNameOf, stageOf } from '../../lib/stage';

const projectRoot = join(__dirname, '..', '..');

/** File of a stage's committed template, relative to the project. */
export function reviewFile(stage: StageName): string {
  return `docs/template/${stage}.yaml`;
}

/** Makes the text of a stage's review file; bundles nothing and needs no credentials. */
export function reviewTemplate(name: StageName): string {
  // The CDK's own validation belongs to `cdk synth`; here it would only make the review slow.
  process.env['CDK_VALIDATION'] = 'false';
  const { context } = JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8'));
  const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  const stage = stageOf(name);
  const stack = new ImageRedirectStack(app, stackNameOf(stage), { stage });
  return normalise(app.synth().getStackByName(stack.stackName).template);
}

/**
 * Writes a template as YAML: resources by logical id, hashes of code masked, the CDK's own notes left out. Logical ids
 * and properties stay as they are.
 */
export function normalise(template: Readonly<Record<string, unknown>>): string {
  const { Resources, Parameters: _parameters, Rules: _rules, ...rest } = template;
  const resources = Object.entries(Resources as Record<string, Record<string, unknown>>)
    .map(([id, { Metadata: _metadata, ...resource }]) => [id, resource] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = stringify(
    { ...rest, Resources: Object.fromEntries(resources) },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
  return text
    .replace(/\b[0-9a-f]{64}\.zip\b/g, '(code).zip')
    .replace(/(CurrentVersion)[0-9A-F]{8}[0-9a-f]{32}/g, '$1');
}
