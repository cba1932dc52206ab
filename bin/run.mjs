// Runs a program of the project for an npm script, after installing what is missing: `node bin/run.mjs jest test/domain`.
import { installWhatIsMissing } from './launch/install.mjs';
import { runProgram } from './launch/program.mjs';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write('Usage: node bin/run.mjs PROGRAM [ARGUMENTS]\n');
  process.exit(1);
}
installWhatIsMissing();
runProgram(program, args);
