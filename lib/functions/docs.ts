/** The function behind the pages for people and programs; it touches no data. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { functionMemoryMb } from '../../lambda/contract/functions';
import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { asciiJson } from '../ascii-json';
import type { Stage } from '../stage';
import { entryOf } from './bundle';
import { NodeFunction } from './node-function';

export class Docs extends NodeFunction {
  constructor(scope: Construct, stage: Stage) {
    super(scope, 'DocsFunction', {
      stage,
      entry: entryOf('docs'),
      description: 'Serves the documentation page, openapi.json and llms.txt',
      memoryMb: functionMemoryMb.docs,
      timeoutS: functionTimeoutsS.docs,
      shifts: true,
      environment: { [variables.plans]: asciiJson(stage.plans) },
    });
  }
}
