/** A signer and a site key of an account of their own, made by the operator's commands. */

import { runTool } from '../../cli/run-tool';

export interface PublishedCredentials {
  readonly signer: { readonly signerId: string; readonly secret: string };
  readonly siteKey: string;
}

/** @param url of a local service, whose pages are also at `http://localhost` */
export async function publishedFrom(url: string): Promise<PublishedCredentials> {
  const keys = async <T>(...args: string[]): Promise<T> => {
    const ended = await runTool(['keys', ...args, '--local', url, '--json'], { cwd: process.cwd() });
    if (ended.exitCode !== 0) throw new Error(ended.stderr);
    return ended.json() as T;
  };
  const { account } = await keys<{ account: string }>('create', '--plan', 'pro');
  const origin = ['--test', '--origin', 'http://localhost:*', '--max-per-month', '100'];
  const { siteKey } = await keys<{ siteKey: string }>('site', 'create', '--account', account, ...origin);
  return { signer: await keys('signer', 'create', '--account', account), siteKey };
}
