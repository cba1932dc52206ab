/** The authorizer function as it is deployed: it starts with its connection to the table open. */

import { handler, prepare } from './main';

await prepare();

export { handler };
