/** The functions of the service, as the contract describes them. */

import type { Construct } from 'constructs';
import { type FunctionName, functionMemoryMb } from '../../lambda/contract/functions';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import type { Stage } from '../stage';
import { stageVariables } from '../stage-settings';
import type { ImageLibrary } from '../stores/image-library';
import type { ProviderSecrets } from '../stores/secrets';
import type { Tables } from '../stores/tables';
import { entryOf } from './bundle';
import { functionSettings } from './environment';
import { NodeFunction, type NodeFunctionProps } from './node-function';

/** What most functions of the service read and write. */
export interface Stores {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly imageLibrary: ImageLibrary;
  readonly providerSecrets: ProviderSecrets;
}

interface ServiceFunctionProps
  extends Omit<NodeFunctionProps, 'entry' | 'memoryMb' | 'timeoutS' | 'concurrency'> {
  readonly concurrency?: number | undefined;
  readonly tables: Tables;
}

/**
 * A function of the service: its source, memory, timeout, access to tables and the environment variables that the stage's
 * settings decide come from the contract. Its id is its name: `RedirectFunction`.
 */
export class ServiceFunction extends NodeFunction {
  constructor(scope: Construct, name: FunctionName, { concurrency, tables, ...props }: ServiceFunctionProps) {
    super(scope, `${name[0]?.toUpperCase()}${name.slice(1)}Function`, {
      ...props,
      entry: entryOf(name),
      memoryMb: functionMemoryMb[name],
      timeoutS: functionTimeoutsS[name],
      ...(concurrency === undefined ? {} : { concurrency }),
    });
    tables.grant(this, name);
    const { awsEndpointUrl } = props.stage;
    if (awsEndpointUrl !== undefined) this.addEnvironment('AWS_ENDPOINT_URL', awsEndpointUrl);
    const values = { ...stageVariables(props.stage), METRIC_NAMESPACE: this.stack.stackName };
    for (const [variable, value] of Object.entries(values))
      if (variable in functionSettings[name] && value !== undefined) this.addEnvironment(variable, value);
  }
}
