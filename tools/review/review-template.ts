/** The templates that reviewers read: of each stage with its default settings, and of one with everything switched on, as text without what changes by itself. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { stringify } from 'yaml';
import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { type Stage, stackNameOf, stageOf } from '../../lib/stage';
import { everythingOn } from './everything';

const projectRoot = join(__dirname, '..', '..');

/** Stages whose templates are committed, by the names of their files. */
export const reviewed = {
  dev: stageOf('dev'),
  prod: stageOf('prod'),
  everything: stageOf('prod', everythingOn),
} as const satisfies Readonly<Record<string, Stage>>;
type ReviewedName = keyof typeof reviewed;
/** Names of the reviewed templates. */
export const reviewedNames = Object.keys(reviewed) as ReviewedName[];

/** File of a committed template, relative to the project. */
export function reviewFile(name: ReviewedName): string {
  return `docs/template/${name}.yaml`;
}

/** CDK context of the project's cdk.json. */
function projectContext(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8')).context;
}

/** Synthesises a stage; bundles nothing and needs no credentials. */
export function stageTemplate(stage: Stage): Readonly<Record<string, unknown>> {
  // The CDK's own validation belongs to `cdk synth`; here it would only make the review slow.
  process.env['CDK_VALIDATION'] = 'false';
  const app = new App({ context: { ...projectContext(), 'aws:cdk:bundling-stacks': [] } });
  const stack = new ImageRedirectStack(app, stackNameOf(stage), { stage });
  return app.synth().getStackByName(stack.stackName).template;
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
    .replace(/\bclient-[0-9a-f]{16}\.tgz\b/g, 'client-(code).tgz')
    .replace(/\bexamples\/[0-9a-f]{16}\b/g, 'examples/(code)')
    .replace(/(CurrentVersion)[0-9A-F]{8}[0-9a-f]{32}/g, '$1')
    .replace(/(Deployment)[0-9A-F]{8}[0-9a-f]{32,40}/g, '$1');
}
