/** The variable that makes a function reach DynamoDB by AWS's SDK; absent where it takes the lean transport. */

import { dynamoDbTransports, variables } from '../lambda/contract/environment';
import type { Stage } from './stage';

export function transportVariable({ dynamoDbTransport }: Stage): Readonly<Record<string, string>> {
  return dynamoDbTransport === dynamoDbTransports[0]
    ? {}
    : { [variables.dynamoDbTransport]: dynamoDbTransport };
}
