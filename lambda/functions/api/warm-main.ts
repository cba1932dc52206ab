/** The image function as it is deployed: it starts with its connection to the tables open. */

import { handler, prepare } from './main';

await prepare();

export { handler };
