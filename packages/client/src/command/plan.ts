/** What a dry run of `fill` was answered, kept for a day: the run that writes, and further dry runs, get it again uncharged. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fetchBatch, isProblem } from '../fetch-records';
import type { FindImages } from '../pages/fill-html';
import type { ImageRecord } from '../service';
import type { Service } from './service';

const keptForMs = 24 * 3_600_000;

/** Records by a hash of what was asked for. */
interface Plan {
  readonly endsMs: number;
  readonly records: Record<string, ImageRecord>;
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** @param nowMs milliseconds since the epoch */
export function createPlan(service: Service, nowMs: number) {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const file = join(cache, 'image-redirect', `fill-${hashOf([process.cwd(), service]).slice(0, 20)}.json`);
  const { endsMs, records } = read(file, nowMs) ?? { endsMs: nowMs + keptForMs, records: {} };

  const find: FindImages = async ({ page, images }) => {
    const asked = images.map((image) => [image.slot, hashOf([page, image])] as const);
    const known = () => asked.flatMap(([slot, id]) => (records[id] ? [[slot, records[id]] as const] : []));
    const kept = new Set(known().map(([slot]) => slot));
    const missing = images.filter(({ slot }) => !kept.has(slot));
    const { base, key } = service;
    const found = missing.length > 0 ? await fetchBatch(base, { page, images: missing }, { key }) : {};
    for (const [slot, id] of asked) {
      const answer = found[slot];
      if (answer && !isProblem(answer)) records[id] = answer;
    }
    return { ...found, ...Object.fromEntries(known()) };
  };

  return {
    find,
    /** Keeps the answers, or forgets them once they are written. A folder that cannot be written keeps none. */
    end(isWritten: boolean): void {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        if (isWritten) rmSync(file, { force: true });
        else writeFileSync(file, JSON.stringify({ endsMs, records } satisfies Plan), { mode: 0o600 });
      } catch {}
    },
  };
}

function read(file: string, nowMs: number): Plan | undefined {
  try {
    const plan = JSON.parse(readFileSync(file, 'utf8')) as Plan;
    return plan.endsMs > nowMs ? plan : undefined;
  } catch {
    return undefined;
  }
}
