/** Starts the function `api` as it is deployed, with its connection to the tables open. */

import { handler, openConnections } from './main';

await openConnections();

export { handler };
