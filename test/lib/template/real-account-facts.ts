/** More of where a real AWS account is stricter than an emulated one: permissions, partitions, paths and templates. */

import type { Template } from 'aws-cdk-lib/assertions';
import { resourcesOf, synthesise } from '../synthesise';

const dev = synthesise('dev');
const prod = synthesise('prod');

interface Statement {
  readonly Action: string | readonly string[];
  readonly Effect: string;
  readonly Resource: unknown;
}

/** All statements of the roles, each with the logical id of its policy. */
function statementsOf(template: Template): readonly (Statement & { readonly policy: string })[] {
  return Object.entries(resourcesOf(template, 'AWS::IAM::Policy')).flatMap(([policy, { Properties }]) =>
    (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement.map((each) => ({
      ...each,
      policy,
    })),
  );
}

test('a new account runs few functions at once: the image function, and no other, may read how many', () => {
  for (const template of [dev, prod])
    expect(
      statementsOf(template)
        .filter(({ Action }) => [Action].flat().includes('lambda:GetAccountSettings'))
        .map(({ policy, Effect, Resource }) => [policy.startsWith('RedirectFunctionRole'), Effect, Resource]),
    ).toEqual([[true, 'Allow', '*']]);
});

test('a partition takes 1,000 write units per second: no table and no index has less of its own', () => {
  const tables = Object.entries(resourcesOf(prod, 'AWS::DynamoDB::GlobalTable'));
  expect(tables).toHaveLength(5);
  for (const [id, { Properties }] of tables) {
    const text = JSON.stringify(Properties);
    expect([id, Properties['BillingMode']]).toEqual([id, 'PAY_PER_REQUEST']);
    // Either would throttle a busy account below what its partition takes.
    expect([id, /ProvisionedThroughput|OnDemandThroughput/.test(text)]).toEqual([id, false]);
  }
});

/** Variables of the gateway's own answers: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
const contextVariables = ['$context.domainName', '$context.stage', '$context.requestId'];

test('API Gateway replaces what follows a dollar sign: its answers name only variables of the context', () => {
  const answers = Object.values(resourcesOf(prod, 'AWS::ApiGateway::GatewayResponse'));
  expect(answers.length).toBeGreaterThan(10);
  for (const { Properties } of answers) {
    const text = JSON.stringify(Properties['ResponseTemplates'] ?? {});
    for (const [variable] of text.matchAll(/\$[\w.{}]*/g)) expect(contextVariables).toContain(variable);
  }
});

const directives =
  /#\{?(set|if|else|elseif|end|foreach|include|parse|stop|break|evaluate|define|macro)\b|##|#\*/;

test('API Gateway runs the templates of a MOCK integration: none holds a directive, a comment or an unknown variable', () => {
  const templates = Object.values(resourcesOf(prod, 'AWS::ApiGateway::Method')).flatMap(({ Properties }) => {
    const {
      Type,
      RequestTemplates,
      IntegrationResponses = [],
    } = Properties['Integration'] as {
      Type: string;
      RequestTemplates?: Record<string, string>;
      IntegrationResponses?: { ResponseTemplates?: Record<string, string> }[];
    };
    if (Type !== 'MOCK') return [];
    const answers = IntegrationResponses.flatMap(({ ResponseTemplates = {} }) =>
      Object.values(ResponseTemplates),
    );
    return [...Object.values(RequestTemplates ?? {}), ...answers];
  });
  expect(templates.length).toBeGreaterThan(0);
  for (const template of templates) {
    expect(template).not.toMatch(directives);
    for (const [variable] of template.matchAll(/\$[\w.{}]*/g)) expect(contextVariables).toContain(variable);
  }
});

test('values of API keys are letters and digits: the stack’s own id without its hyphens', () => {
  const keys = Object.values(resourcesOf(prod, 'AWS::ApiGateway::ApiKey'));
  expect(keys.length).toBeGreaterThan(0);
  const uniqueId = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
  for (const { Properties } of keys)
    expect(Properties['Value']).toEqual({
      'Fn::Join': [
        '',
        expect.arrayContaining([
          expect.stringMatching(/^tier[a-z]+$/),
          { 'Fn::Join': ['', { 'Fn::Split': ['-', uniqueId] }] },
        ]),
      ],
    });
});
