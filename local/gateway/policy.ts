/** Reads an authorizer's policy as API Gateway does: a Deny that matches wins, and what no statement matches is denied. */

import type { PolicyDocument } from 'aws-lambda';

export function allows(policy: PolicyDocument, methodArn: string): boolean {
  const effects = policy.Statement.flatMap((statement) => {
    const resources = 'Resource' in statement ? [statement.Resource].flat() : [];
    return resources.some((pattern) => matches(String(pattern), methodArn)) ? [statement.Effect] : [];
  });
  return effects.includes('Allow') && !effects.includes('Deny');
}

/** Patterns as regular expressions: a policy has few, and the same for every request. */
const compiled = new Map<string, RegExp>();
const compiledMax = 1_000;

/** `*` stands for any text, `?` for one character. */
function matches(pattern: string, arn: string): boolean {
  let known = compiled.get(pattern);
  if (!known) {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    known = new RegExp(`^${source}$`, 's');
    if (compiled.size >= compiledMax) compiled.clear();
    compiled.set(pattern, known);
  }
  return known.test(arn);
}
