/** Multiplies the timeouts of a test, because tables are slow on a busy machine. A test imports this file first. */

import { env } from 'node:process';
import { patience } from '../e2e/local-service';

env['PATIENCE'] ??= patience;
