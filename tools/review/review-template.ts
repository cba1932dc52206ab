/** The template of a stage with its default settings, and where the text that a reviewer reads is committed. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { stackNameOf, stageOf } from '../../lib/stage';
import type { StageName } from '../../lib/stage-settings';

const projectRoot = join(__dirname, '..', '..');

/** File of a stage's committed template, relative to the project. */
export function reviewFile(stage: StageName): string {
  return `docs/template/${stage}.yaml`;
}

/** Synthesises it; bundles nothing and needs no credentials. */
export function stageTemplate(name: StageName): Readonly<Record<string, unknown>> {
  // The CDK's own validation belongs to `cdk synth`; here it would only make the review slow.
  process.env['CDK_VALIDATION'] = 'false';
  const { context } = JSON.parse(readFileSync(join(projectRoot, 'cdk.json'), 'utf8'));
  const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  const stage = stageOf(name);
  const stack = new ImageRedirectStack(app, stackNameOf(stage), { stage });
  return app.synth().getStackByName(stack.stackName).template;
}
