/** The operator's commands at a running local service, in this process. */

import { createSigner } from '../../packages/client/src/client';
import { runTool } from '../cli/run-tool';

/** The output of the command for a new key. */
export interface Issued {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
}

export function createOperator(url: string, cwd = process.cwd()) {
  /** Runs `image-redirect … --json`. */
  const run = (...args: readonly string[]) => runTool([...args, '--local', url, '--json'], { cwd });
  /** Runs `image-redirect keys … --json`, and returns its output. @throws when its exit code is not 0 */
  const runKeys = async <Printed = Issued>(...args: readonly string[]): Promise<Printed> => {
    const ended = await run('keys', ...args);
    if (ended.exitCode !== 0) throw new Error(`"${args[0]}" ended with ${ended.exitCode}: ${ended.stderr}`);
    return ended.json() as Printed;
  };
  return {
    run,
    runKeys,
    /** A new signer of an account. */
    async openSigner(account: string) {
      const signer = await runKeys<{ signerId: string; secret: string }>(
        'signer',
        'create',
        '--account',
        account,
      );
      return { ...signer, signer: createSigner({ id: signer.signerId, secret: signer.secret }) };
    },
    /** A new site key of an account, for the pages of an origin. */
    openSite: (account: string, origin: string, maxPerMonth: number) =>
      runKeys<{ siteKey: string; siteKeyId: string }>(
        ...['site', 'create', '--account', account, '--origin', origin],
        ...['--max-per-month', String(maxPerMonth)],
      ),
  };
}
