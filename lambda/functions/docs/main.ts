/** Wires the docs function to its environment. */

import { systemClock as clock } from '../../adapters/system/system-clock';
import { createLogTelemetry } from '../../adapters/telemetry/log-telemetry';
import { readConfig } from '../config';
import { createContent } from './content';
import { createHandler } from './handler';
import { settings } from './settings';

const config = readConfig(process.env, settings);

const telemetry = createLogTelemetry({
  functionName: 'docs',
  write: (line) => process.stderr.write(line),
  nowMs: clock.nowMs,
});

export const handler = createHandler({ content: createContent(config.PLANS), clock, telemetry });
