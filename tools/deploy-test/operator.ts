/** What an operator does after the first deployment, with the operator's own tool. */

import { type ProgramOptions, runProgram } from './run-program';

/** A key as `create --json` prints it. */
export interface IssuedKey {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
}

/** What opens images on public pages, and the account that pays for them. */
export interface Published {
  /** An API key of the account. */
  readonly account: IssuedKey;
  readonly signer: { readonly id: string; readonly secret: string };
  readonly siteKey: string;
}

/** What the operator issues; in the deployment test, each plan has an account of its own. */
export interface Credentials {
  readonly keys: Readonly<Record<'free' | 'pro' | 'business' | 'enterprise' | 'test', IssuedKey>>;
  readonly published: Published;
}

/** Origin of the pages that the site key is for. */
export const pageOrigin = 'https://shop.example';

/** Issues keys of each plan, a test key, a signer and a site key, two at a time. */
export async function issueCredentials(
  stack: string,
  options: Omit<ProgramOptions, 'log'>,
): Promise<Credentials> {
  const tool = <Result = IssuedKey>(...args: readonly string[]) =>
    operatorTool<Result>(stack, ['keys', ...args], options);
  const issue = (plan: string, name = `deployment test ${plan}`) =>
    tool('create', '--plan', plan, '--name', name);
  const [free, pro] = await Promise.all([issue('free'), issue('pro')]);
  const [business, enterprise] = await Promise.all([issue('business'), issue('enterprise')]);
  const named = ['--account', pro.account, '--test', '--name', 'deployment test key'];
  const [test, account] = await Promise.all([tool('create', ...named), issue('pro', 'web shop')]);
  const forAccount = ['create', '--account', account.account, '--name', 'web shop'];
  const [{ signerId, secret }, { siteKey }] = await Promise.all([
    tool<{ signerId: string; secret: string }>('signer', ...forAccount),
    tool<{ siteKey: string }>('site', ...forAccount, '--origin', pageOrigin, '--max-per-month', '100'),
  ]);
  return {
    keys: { free, pro, business, enterprise, test },
    published: { account, signer: { id: signerId, secret }, siteKey },
  };
}

/** Runs a command for a stack and reads its JSON, which is logged nowhere: it may hold a key. */
export async function operatorTool<Result>(
  stack: string,
  args: readonly string[],
  options: Omit<ProgramOptions, 'log'>,
): Promise<Result> {
  const program = ['--import', 'tsx', 'bin/image-redirect.ts'];
  const all = [...program, ...args, '--stack', stack, '--json', '--yes'];
  return JSON.parse(await runProgram('node', all, options));
}
