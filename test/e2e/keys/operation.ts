/** An operator with the keys command and callers with keys, at a local service of their own. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../ask';
import { startService } from '../local-service';
import { operatorAt } from '../operator';
import { readUntil } from '../read-until';
import { sharedService } from '../shared-service';

/** The headers of a browser's request for an image of another site. */
export const imageHeaders = {
  'Sec-Fetch-Dest': 'image',
  'Sec-Fetch-Site': 'cross-site',
  Accept: 'image/webp,*/*',
} as const;

/** Keys at a service with these settings of its functions; without any, at the one that files share. */
export async function startOperation(
  environment?: Readonly<Record<string, string>>,
  options: readonly string[] = [],
) {
  const own = environment && (await startService(['--memory', ...options], environment));
  const { url, fakeProviders } = own ?? (await sharedService());
  // Empty, as a shell may stand anywhere.
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const get = (key: string, path: string) => ask(url, { path, headers: { 'X-API-Key': key } });
  return {
    ...operatorAt(url, folder),
    url,
    fakeProviders,
    get,
    /** Asks again while an image is still being made, as the service says one may. */
    load: (path: string, headers: Readonly<Record<string, string>>) =>
      readUntil(
        () => ask(url, { path, headers }),
        ({ status }) => ![502, 503].includes(status),
        { withinMs: 15_000, pauseMs: 250 },
      ),
    /** The response of `/api/usage` for a key. */
    async usageOf(key: string): Promise<Readonly<Record<string, unknown>>> {
      const { status, body } = await get(key, '/api/usage');
      if (status !== 200) throw new Error(`/api/usage answered ${status}: ${body}`);
      return JSON.parse(body);
    },
    async close() {
      await own?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Counters begin anew with an hour or a month, so what one turned in the middle of is done again. */
export async function withinOneHour(work: () => Promise<void>): Promise<void> {
  const hour = () => Math.floor(Date.now() / 3_600_000);
  const began = hour();
  try {
    await work();
  } catch (error) {
    if (hour() === began) throw error;
    await work();
  }
}
