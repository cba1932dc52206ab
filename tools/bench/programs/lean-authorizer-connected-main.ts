/** The hand-written authorizer after its connection was opened at its start, as the service's function does. */

import { call, handler } from './lean-authorizer-main';

const input = { TableName: process.env['API_KEYS_TABLE'], Key: { pk: { S: 'none' } } };
await call('GetItem', input);

export { handler };
