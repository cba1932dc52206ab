/** What the renderer function is told by its environment. */

import { variables } from '../../contract/contract';
import { optionalText, text, url } from '../config';
import { metricNamespaceSetting } from '../metric-namespace-setting';
import { providerEndpointsSetting } from '../stock-settings';

export const settings = {
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.contact]: text,
  [variables.providerSecretId]: optionalText,
  [variables.providerEndpoints]: providerEndpointsSetting,
  [variables.metricNamespace]: metricNamespaceSetting,
} as const;
