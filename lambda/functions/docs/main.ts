/** Wires the docs function to its environment. */

import { startFunction } from '../start-function';
import { createContent } from './content';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('docs', settings, process.env);

export const handler = createHandler({ content: createContent(config.PLANS), clock, telemetry });
