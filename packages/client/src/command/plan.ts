/** What a dry run of `fill` was answered, kept for a day: the run that writes, and further dry runs, get it again uncharged. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fetchBatch, isProblem } from '../fetch-records';
import type { FindImages } from '../pages/fill-html';
import type { ImageRecord } from '../service';
import type { Service } from './environment';

const keptForMs = 24 * 3_600_000;

interface Plan {
  /** Milliseconds since the epoch. */
  readonly endsMs: number;
  /** Records by a hash of the request. */
  readonly records: Record<string, ImageRecord>;
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** @param nowMs milliseconds since the epoch */
export function createPlan({ base, key }: Service, nowMs: number) {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const name = hashOf([process.cwd(), { base, key }]).slice(0, 20);
  const file = join(cache, 'image-redirect', `fill-${name}.json`);
  const { endsMs, records } = read(file, nowMs) ?? { endsMs: nowMs + keptForMs, records: {} };

  const find: FindImages = async ({ page, images }) => {
    const hashes = new Map(images.map((image) => [image.slot, hashOf([page, image])]));
    const cached = (slot: string) => records[hashes.get(slot) ?? ''];
    const missing = images.filter(({ slot }) => !cached(slot));
    const answers = missing.length > 0 ? await fetchBatch(base, { page, images: missing }, { key }) : {};
    for (const [slot, answer] of Object.entries(answers))
      if (!isProblem(answer)) records[hashes.get(slot) ?? ''] = answer;
    return Object.fromEntries(
      images.flatMap(({ slot }) => {
        const answer = cached(slot) ?? answers[slot];
        return answer ? [[slot, answer] as const] : [];
      }),
    );
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
