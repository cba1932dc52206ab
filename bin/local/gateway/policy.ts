/** Reads an authorizer's policy as API Gateway does: a Deny that matches wins, and nothing is allowed by silence. */

import type { PolicyDocument } from 'aws-lambda';

export function allows(policy: PolicyDocument, methodArn: string): boolean {
  const effects = policy.Statement.flatMap((statement) => {
    const resources = 'Resource' in statement ? [statement.Resource].flat() : [];
    return resources.some((pattern) => matches(String(pattern), methodArn)) ? [statement.Effect] : [];
  });
  return effects.includes('Allow') && !effects.includes('Deny');
}

/** `*` stands for any text, `?` for one character. */
function matches(pattern: string, arn: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(arn);
}
