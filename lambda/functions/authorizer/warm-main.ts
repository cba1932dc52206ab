/** Starts the function `authorizer` as it is deployed, with its connection to the table open. */

import { handler, openConnections } from './main';

await openConnections();

export { handler };
