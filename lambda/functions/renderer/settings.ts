/** What the renderer function is told by its environment. */

import { variables } from '../../contract/environment';
import { optionalText, type SettingsOf, text, url } from '../config';
import { providerEndpointsSetting } from '../stock-settings';

export const settings = {
  [variables.imageStore]: url('s3:', 'file:'),
  [variables.contact]: text,
  [variables.providerSecretId]: optionalText,
  [variables.providerEndpoints]: providerEndpointsSetting,
} as const satisfies SettingsOf<'renderer'>;
