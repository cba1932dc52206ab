/** The functions of the service, as the contract describes them, and what surrounds each: its environment and its rights. */

import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type FunctionName, functionMemoryMb } from '../../lambda/contract/functions';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { settings as api } from '../../lambda/functions/api/settings';
import { settings as authorizer } from '../../lambda/functions/authorizer/settings';
import { settings as generator } from '../../lambda/functions/generator/settings';
import { settings as renderer } from '../../lambda/functions/renderer/settings';
import { acknowledge } from '../resources';
import type { Stage } from '../stage';
import { entryOf } from './bundle';
import { NodeFunction } from './node-function';

/** The environment variables that each function reads, by their names; one with a `fallback` may be absent. */
const functionSettings = { authorizer, api, renderer, generator } satisfies Readonly<
  Record<FunctionName, Readonly<Record<string, { readonly fallback?: unknown }>>>
>;

/** Endpoints that a function in a container of SAM is told, and that a deployed one never has. */
const samVariables = ['DYNAMODB', 'LAMBDA', 'S3', 'SECRETS_MANAGER'].map(
  (service) => `AWS_ENDPOINT_URL_${service}`,
);

const descriptions: Readonly<Record<FunctionName, string>> = {
  authorizer: 'Resolves the credential of a request to its account, plan and tier',
  api: 'Answers every request: images, batches, usage, documents',
  renderer: 'Draws, crops and stores renditions of images',
  generator: 'Has AI images made',
};

/** A function of the service. Its id is its logical id: `ApiFunction`. */
export class ServiceFunction extends NodeFunction {
  private readonly settings: object;

  constructor(
    scope: Construct,
    name: FunctionName,
    private readonly stage: Stage,
  ) {
    super(scope, `${name[0]?.toUpperCase()}${name.slice(1)}Function`, {
      stage,
      description: descriptions[name],
      entry: entryOf(name),
      memoryMb: functionMemoryMb[name],
      timeoutS: functionTimeoutsS[name],
    });
    this.settings = functionSettings[name];
  }

  /**
   * Sets the variables that the function's own settings name, and no others.
   * @param values by the names of the variables; `undefined` for one that the stage does not set
   */
  setEnvironment(values: Readonly<Record<string, string | undefined>>): void {
    for (const variable of Object.keys(this.settings)) {
      const value = values[variable];
      if (value !== undefined) this.addEnvironment(variable, value);
      // SAM replaces only what a template declares; an empty variable counts as absent.
      else if (this.stage.sam) this.addEnvironment(variable, '');
    }
    if (this.stage.sam) for (const variable of samVariables) this.addEnvironment(variable, '');
  }

  /** Lets it read the secrets whose ids its settings name. */
  readSecrets(secrets: Readonly<Record<string, ISecret | undefined>>): void {
    for (const [variable, secret] of Object.entries(secrets)) {
      if (!secret || !(variable in this.settings)) continue;
      secret.grantRead(this);
      this.setEnvironment({ [variable]: secret.secretArn });
    }
  }

  /** Lets it call another function, which waits for it or not. */
  call(callee: ServiceFunction): void {
    callee.grantInvoke(this);
    acknowledge(this.executionRole, {
      [`AwsSolutions-IAM5[Resource::<${callee.node.id}.Arn>:*]`]:
        'The versions of one function, which it may call anyway.',
    });
  }
}
