/** Policies are evaluated as API Gateway does: Deny wins, no match denies, patterns match as documented. */

import type { PolicyDocument } from 'aws-lambda';
import { allows } from '../../local/gateway/gateway';

const arn = 'arn:aws:execute-api:local:000000000000:local/local/GET/api/image/800x600-sea';
const policy = (
  ...statements: readonly (readonly ['Allow' | 'Deny', string | string[]])[]
): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: statements.map(([Effect, Resource]) => ({ Action: 'execute-api:Invoke', Effect, Resource })),
});

describe('a policy', () => {
  it.each([
    ['the whole ARN', policy(['Allow', arn]), true],
    ['everything', policy(['Allow', '*']), true],
    ['every method of the path', policy(['Allow', 'arn:*/local/*/api/image/*']), true],
    ['one of several resources', policy(['Allow', ['arn:x', arn]]), true],
    ['one letter', policy(['Allow', arn.replace('sea', 's?a')]), true],
    ['another path', policy(['Allow', 'arn:*/GET/api/usage']), false],
    ['a beginning only', policy(['Allow', arn.slice(0, -1)]), false],
    ['an end only', policy(['Allow', arn.slice(4)]), false],
    ['a dot where another letter stands', policy(['Allow', arn.replace('sea', 's.a')]), false],
    ['nothing', policy(), false],
    ['a Deny', policy(['Deny', '*']), false],
    ['a Deny after an Allow', policy(['Allow', '*'], ['Deny', arn]), false],
    ['a Deny before an Allow', policy(['Deny', arn], ['Allow', '*']), false],
    ['a Deny of something else', policy(['Allow', '*'], ['Deny', 'arn:*/GET/api/usage']), true],
  ])('with %s', (_, document, is) => expect(allows(document, arn)).toBe(is));
});
