/** Wires the docs function to its environment. */

import { readConfig } from '../config';
import { createContent } from './content';
import { createHandler } from './handler';
import { settings } from './settings';

const config = readConfig(process.env, settings);

export const handler = createHandler({ content: createContent(config.PLANS), nowMs: Date.now });
