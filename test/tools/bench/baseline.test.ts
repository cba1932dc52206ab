/** The hand-written program of the benchmark gives the response of the service, or the two could not be compared. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { comparable, eventOf } from '../../../tools/bench/builds';
import { least, measured } from '../../../tools/bench/programs/logic';

test('the service and the hand-written program give the same response', async () => {
  const event = eventOf('redirect-live') as APIGatewayProxyEvent;
  const response = comparable(await measured(event));
  expect(response).toMatchObject({ statusCode: 302 });
  expect(comparable(await least(event))).toEqual(response);
});
