/** The image function as it is deployed: it starts with its connection to the tables open. */

import { handler, openConnections } from './main';

await openConnections();

export { handler };
