/** Which parameters go together: credentials, those that are signed, and those that each form of a request takes. */

import { type ParameterName, parameterNames } from './parameters';

/** The parameters that say who pays, and no more. */
const credentialParameters = [
  'api_key',
  'signer',
  'expires',
  'signature',
  'site',
] as const satisfies readonly ParameterName[];

/** The parameters that a signature covers: all that decide which image a URL shows. */
export const signedParameters: readonly ParameterName[] = /* @__PURE__ */ parameterNames.filter(
  (name) => name !== 'format' && !(credentialParameters as readonly ParameterName[]).includes(name),
);

/** The parameters of one image where it is asked for without a URL: in a batch, and by the tools of MCP. */
export const imageParameters: readonly ParameterName[] = /* @__PURE__ */ signedParameters.filter(
  (name) => name !== 'upto',
);

/** The parameters that the path form holds, so that they cannot be given beside it. */
export const pathFormParameters = ['query', 'width', 'height'] as const satisfies readonly ParameterName[];

/** The parameters that a permalink takes; everything else about its image is settled. */
export const permalinkParameters = [
  'width',
  'height',
  'format',
  'api_key',
] as const satisfies readonly ParameterName[];
