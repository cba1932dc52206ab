/** The image function as it is deployed: it starts with its connection to the tables open. */

import { handler, start } from './main';

await start();

export { handler };
