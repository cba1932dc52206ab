/** The authorizer as it is deployed: its connection to the table is open before the first request. */

import { handler, openConnections } from './main';

await openConnections();

export { handler };
