#!/usr/bin/env node
// Starts the command line tool of the project, after installing what is missing: `npx image-redirect --help`.
import { installWhatIsMissing } from './launch/install.mjs';
import { runProgram } from './launch/program.mjs';

installWhatIsMissing();
runProgram('bin/image-redirect.ts', process.argv.slice(2));
