/** The authorizer function as it is deployed: it starts with its connection to the table open. */

import { handler, openConnections } from './main';

await openConnections();

export { handler };
