/** The operator's commands at a running local service, in this process. */

import { createSigner, type Signer } from '../../packages/client/src/client';
import { type Ended, runTool } from '../cli/run-tool';

/** The output of the command for a new key. */
export interface Issued {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
}

export interface Operator {
  /** Runs `image-redirect … --json`. */
  run(...args: readonly string[]): Promise<Ended>;
  /** Runs `image-redirect keys … --json`, and returns its output. @throws when its exit code is not 0 */
  keys<Printed = Issued>(...args: readonly string[]): Promise<Printed>;
  /** A new signer of an account. */
  openSigner(account: string): Promise<{
    readonly signerId: string;
    readonly secret: string;
    readonly signer: Signer;
  }>;
  /** A new site key of an account, for the pages of an origin. */
  openSite(
    account: string,
    origin: string,
    maxPerMonth: number,
    ...more: readonly string[]
  ): Promise<{ readonly siteKey: string; readonly siteKeyId: string }>;
}

export function operatorAt(url: string, cwd = process.cwd()): Operator {
  const run: Operator['run'] = (...args) => runTool([...args, '--local', url, '--json'], { cwd });
  const keys: Operator['keys'] = async <Printed>(...args: readonly string[]) => {
    const ended = await run('keys', ...args);
    if (ended.exitCode !== 0) throw new Error(`"${args[0]}" ended with ${ended.exitCode}: ${ended.stderr}`);
    return ended.json() as Printed;
  };
  return {
    run,
    keys,
    async openSigner(account) {
      const made = await keys<{ signerId: string; secret: string }>('signer', 'create', '--account', account);
      return { ...made, signer: createSigner({ id: made.signerId, secret: made.secret }) };
    },
    openSite: (account, origin, maxPerMonth, ...more) =>
      keys(
        ...['site', 'create', '--account', account, '--origin', origin],
        ...['--max-per-month', String(maxPerMonth), ...more],
      ),
  };
}
