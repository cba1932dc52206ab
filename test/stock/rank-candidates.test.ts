/** What a reranker may change about the order of candidates, and that the rules alone decide without its answer. */

import { rerankerTimeoutMs } from '../../lambda/contract/timeouts';
import type { Reranker } from '../../lambda/stock/rank-candidates';
import { rankCandidates } from '../../lambda/stock/rank-candidates';
import { understand } from '../../lambda/stock/understand';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { candidate, createFakeStockProvider } from '../fakes/stock-provider';
import { createVirtualClock } from '../fakes/virtual-clock';
import { request } from './stock-bench';

const candidates = ['first', 'second', 'third'].map((id, index) =>
  candidate(id, { description: { rank: index + 1, title: 'Lake' } }),
);

async function idsRankedWith(rerank?: Reranker['rerank']): Promise<readonly string[]> {
  const clock = createVirtualClock();
  const subject = understand('lake');
  const search = { provider: createFakeStockProvider('alpha'), request: request('lake'), subject };
  const deps = { clock, telemetry: createRecordedTelemetry(), ...(rerank && { reranker: { rerank } }) };
  const beganMs = clock.nowMs();
  const ranked = await clock.settle(rankCandidates(deps, search, candidates));
  expect(clock.nowMs() - beganMs).toBeLessThanOrEqual(rerankerTimeoutMs);
  return ranked.map(({ id }) => id);
}

it('orders candidates by the rules without a reranker', async () =>
  expect(await idsRankedWith()).toEqual(['first', 'second', 'third']));

it('adds what the reranker says to the scores', async () =>
  expect(await idsRankedWith(async () => new Map([['third', 3]]))).toEqual(['third', 'first', 'second']));

it.each<[string, Reranker['rerank']]>([
  ['fails', () => Promise.reject(new Error('out of order'))],
  ['does not answer in time', () => new Promise(() => undefined)],
])('orders candidates by the rules when the reranker %s', async (_, rerank) =>
  expect(await idsRankedWith(rerank)).toEqual(['first', 'second', 'third']),
);
