/** How many threads draw, and that a full queue is refused as Lambda refuses it. */

import { createLambdaEndpoint } from '../../../bin/local/aws/lambda-endpoint';
import { threadsFor } from '../../../bin/local/workers/worker-threads';
import { listenOnLoopback } from '../../fakes/loopback';

test.each([
  [1, 4, 1],
  [2, 4, 1],
  [8, 4, 1],
  [8, 12, 4],
  [16, 20, 8],
])(
  'with %i cores and %i libuv threads, each of the two functions gets %i threads',
  (cores, pool, threads) => {
    expect(threadsFor(cores, pool)).toBe(threads);
  },
);

test.each(['Event', 'RequestResponse'])(
  'a full queue refuses an invocation (%s) and runs nothing',
  async (type) => {
    let runs = 0;
    const handler = async () => void runs++;
    const { handle } = createLambdaEndpoint({ generator: { handler, isFull: () => true } }, () => undefined);
    const loopback = await listenOnLoopback(handle);
    const response = await fetch(`${loopback.address}/2015-03-31/functions/generator/invocations`, {
      method: 'POST',
      headers: { 'x-amz-invocation-type': type },
      body: '{}',
    });
    await loopback.stop();
    expect([response.status, response.headers.get('x-amzn-errortype'), runs]).toEqual([
      429,
      'TooManyRequestsException',
      0,
    ]);
  },
);
