/** Which routes a caller may reach: all, or with an unusable key only those that can draw a card about it. */

import type { PolicyDocument } from 'aws-lambda';
import { routes } from '../../contract/routes';
import type { Admission } from '../../domain/caller/caller';

/** Whether a call is for one of the routes that draw a card about a refusal. */
export function isImageRoute(methodArn: string): boolean {
  const [, , , ...path] = methodArn.split('/');
  return `/${path.join('/')}/`.startsWith(`${routes.image}/`);
}

/**
 * @param methodArn `arn:aws:execute-api:{region}:{account}:{api}/{stage}/{method}/{path}`
 */
export function policyFor(admission: Admission, methodArn: string): PolicyDocument {
  const [api = '', stage = ''] = methodArn.split('/');
  const isKnown = admission.outcome === 'known';
  const mayPass = isKnown || isImageRoute(methodArn);
  const everything = [`${api}/${stage}/*`];
  const imageRoutes = [`${api}/${stage}/*${routes.image}`, `${api}/${stage}/*${routes.image}/*`];
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect: mayPass ? 'Allow' : 'Deny',
        Resource: mayPass && !isKnown ? imageRoutes : everything,
      },
    ],
  };
}
