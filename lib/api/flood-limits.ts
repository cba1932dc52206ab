/** Throttles of the API's stage, which hold for every caller before any function runs. */

import type { MethodDeploymentOptions, StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { apiRoutes } from '../../lambda/contract/routes';
import type { Stage } from '../stage';

/**
 * A limit for everything together, and a lower one for each method that asks for no key: pages and preflights. Refused
 * methods count with everything, as API Gateway takes no limit for ANY. The methods with a key are throttled by their
 * usage plan as well.
 */
export function floodLimits({ floodLimits: { everything, perOpenMethod } }: Stage): StageOptions {
  const open: MethodDeploymentOptions = {
    throttlingRateLimit: perOpenMethod.perSecond,
    throttlingBurstLimit: perOpenMethod.burst,
  };
  const methods = apiRoutes.flatMap(({ path, methods: own, isAuthorized, hasOtherMethods }) =>
    [...(hasOtherMethods ? ['OPTIONS'] : []), ...(isAuthorized ? [] : own)].map(
      (method) => `${path.replace(/\/$/, '')}/${method}`,
    ),
  );
  return {
    throttlingRateLimit: everything.perSecond,
    throttlingBurstLimit: everything.burst,
    methodOptions: Object.fromEntries(
      methods.map((method) => [method.replace(/^\/(?=[A-Z]+$)/, '//'), open]),
    ),
  };
}
