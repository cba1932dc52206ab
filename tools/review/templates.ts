/** Writes the templates for reviewers: each stage with its default settings, without hashes. */

import { App } from 'aws-cdk-lib';
import { stringify } from 'yaml';
import { context } from '../../cdk.json';
import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { makeStackName, makeStage } from '../../lib/stage';
import type { StageName } from '../../lib/stage-settings';

export const nameTemplateFile = (name: StageName) => `docs/template/${name}.yaml`;

/** Synthesises a stage with its default settings, without bundling. It needs no credentials. */
export function synthesizeTemplate(name: StageName): Readonly<Record<string, unknown>> {
  // `cdk synth` validates the template. Here validation would only take time.
  process.env['CDK_VALIDATION'] = 'false';
  const app = new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } });
  const stage = makeStage(name);
  const stack = new ImageRedirectStack(app, makeStackName(stage), { stage });
  return app.synth().getStackByName(stack.stackName).template;
}

/** Writes a template as YAML by logical ids. It masks hashes of code, and leaves out the CDK's own notes. */
export function writeTemplate(template: Readonly<Record<string, unknown>>): string {
  // The hashes are masked first, because the order of the ids would follow from them.
  const json = JSON.stringify(template)
    .replace(/\b[0-9a-f]{64}\.zip\b/g, '(code).zip')
    .replace(/(CurrentVersion)[0-9a-f]{32}/g, '$1')
    .replace(/(Deployment)[0-9a-f]{32,40}/g, '$1');
  const { Resources, Parameters: _parameters, Rules: _rules, ...sections } = JSON.parse(json);
  const resources = Object.entries(Resources as Record<string, Record<string, unknown>>)
    .map(([id, { Metadata: _metadata, ...resource }]) => [id, resource] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const sortedTemplate = { ...sections, Resources: Object.fromEntries(resources) };
  return stringify(sortedTemplate, { lineWidth: 0, aliasDuplicateObjects: false });
}
