/** The templates that reviewers read: of each stage with its default settings, and of one with everything switched on. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
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
export type ReviewedName = keyof typeof reviewed;
export const reviewedNames = Object.keys(reviewed) as ReviewedName[];

/** File of a committed template, relative to the project. */
export function reviewFile(name: ReviewedName): string {
  return `docs/template/${name}.yaml`;
}

/** CDK context of the project's cdk.json. */
export function projectContext(): Readonly<Record<string, unknown>> {
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
