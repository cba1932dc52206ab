/** An event that is no message of its function is refused by its faulty fields. */

import * as z from 'zod/mini';
import { readMessage } from '../../lambda/base/read-message';

const schema = z.object({ kind: z.literal('a'), of: z.object({ count: z.number() }) });

test('a message is read, and what is none names each faulty field and no value', () => {
  const message = { kind: 'a', of: { count: 1 } };
  expect(readMessage('greeting', schema, message)).toEqual(message);
  const read = (event: unknown) => () => readMessage('greeting', schema, event);
  expect(read({ kind: 'secret', of: { count: 'secret' } })).toThrow(
    /^Not a greeting: kind: (?!.*secret).+; of\.count: (?!.*secret).+$/,
  );
  expect(read(undefined)).toThrow(/^Not a greeting: event: /);
  expect(read(undefined)).toThrow(TypeError);
});
