/** How programs reach the emulated account: the variables that they would find an account of AWS by. */

import { join } from 'node:path';
import { type Emulator, region } from './emulator';

/** A client's environment: this one without whatever names a real account. */
export function accountEnvironment(
  { port, certificateFile }: Emulator,
  nodeFolder: string,
  folder: string,
): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(AWS_|CDK_|E2E_|NODE_OPTIONS$)/.test(name));
  const nowhere = join(folder, 'no-such-file');
  return {
    ...Object.fromEntries(own),
    PATH: `${nodeFolder}:${process.env['PATH']}`,
    AWS_ENDPOINT_URL: `https://127.0.0.1:${port}`,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_CONFIG_FILE: nowhere,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CA_BUNDLE: certificateFile,
    NODE_EXTRA_CA_CERTS: certificateFile,
    NODE_NO_WARNINGS: '1',
    CDK_HOME: join(folder, 'cdk-home'),
    CI: 'true',
  };
}
