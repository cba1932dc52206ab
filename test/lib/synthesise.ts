/** Synthesises a stage's stack in this process, without bundling, for tests that read its template. */

import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { context } from '../../cdk.json';
import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { readStage } from '../../lib/stage';
import type { StageName } from '../../lib/stage-settings';

// The CDK's own validation takes seconds; the test of the whole app runs it.
process.env['CDK_VALIDATION'] = 'false';
// Without stack traces of constructs and properties, which are slow where jest asks for a hundred lines each.
Error.stackTraceLimit = 1;

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** An app as cdk.json sets it up, without bundling, and without the tree of constructs, which is slow. */
export function createUnbundledApp(): App {
  return new App({
    treeMetadata: false,
    analyticsReporting: false,
    context: { ...context, 'aws:cdk:bundling-stacks': [] },
  });
}

const synthesised = new Map<string, Template>();

/** The template of a stage with some settings replaced; synthesised once per test file. */
export function synthesise(name: StageName, changes: Readonly<Record<string, unknown>> = {}): Template {
  const key = JSON.stringify([name, changes]);
  const earlierTemplate = synthesised.get(key);
  if (earlierTemplate) return earlierTemplate;
  const stack = new ImageRedirectStack(createUnbundledApp(), 'Test', {
    stage: readStage({ stage: name, ...changes }),
  });
  const template = Template.fromStack(stack);
  synthesised.set(key, template);
  return template;
}

/** Resources of a type by logical id; all resources without one. */
export function listResources(template: Template, type?: string): Readonly<Record<string, TemplateResource>> {
  const resources = template.toJSON()['Resources'] as Record<string, TemplateResource>;
  return Object.fromEntries(
    Object.entries(resources).filter(([, { Type }]) => type === undefined || Type === type),
  );
}

/** Finds the properties of the first resource of a type. @throws `Error` when there is none */
export function findProperties(template: Template, type: string): TemplateResource['Properties'] {
  const [resource] = Object.values(listResources(template, type));
  if (!resource) throw new Error(`The template has no such ${type}`);
  return resource.Properties;
}

/** Environment variables of a function, by its logical id. */
export function getEnvironment(template: Template, functionId: string): Readonly<Record<string, unknown>> {
  const { Environment } = listResources(template, 'AWS::Lambda::Function')[functionId]?.Properties ?? {};
  return (Environment as { Variables: Record<string, unknown> } | undefined)?.Variables ?? {};
}
