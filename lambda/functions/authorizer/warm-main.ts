/** The authorizer function as it is deployed: it starts with its connection to the table open. */

import { handler, start } from './main';

await start();

export { handler };
