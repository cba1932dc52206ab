/** The deadlines of the AWS clients of the operator's tools, as the SDK takes them. */

import { operatorAwsTimeoutsMs } from '../lambda/contract/timeouts';

export const requestHandler = {
  requestTimeout: operatorAwsTimeoutsMs.request,
  connectionTimeout: operatorAwsTimeoutsMs.connection,
  throwOnRequestTimeout: true,
} as const;
