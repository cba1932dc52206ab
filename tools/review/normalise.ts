/** A template as text that a reviewer reads, without what changes by itself. */

import { stringify } from 'yaml';

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
    .replace(/(CurrentVersion)[0-9A-F]{8}[0-9a-f]{32}/g, '$1')
    .replace(/(Deployment)[0-9A-F]{8}[0-9a-f]{32,40}/g, '$1');
}
