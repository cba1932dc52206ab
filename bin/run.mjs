// Runs a program of the project for an npm script, after installing what is missing: `node bin/run.mjs jest test/quota`.
// With `--node 24`, it runs on that version of Node.js and not at all where there is none; with `--prefer-node 24`, on
// the installed one instead.
import { installWhatIsMissing } from './launch/install.mjs';
import { nodeBinary } from './launch/node-version.mjs';
import { runProgram } from './launch/program.mjs';

const words = process.argv.slice(2);
const [choice, version] = /^--(prefer-)?node$/.test(words[0]) ? words.splice(0, 2) : [];
const [program, ...args] = words;
if (program === undefined || (choice && !/^\d+$/.test(version))) {
  process.stderr.write('Usage: node bin/run.mjs [--node|--prefer-node VERSION] PROGRAM [ARGUMENTS]\n');
  process.exit(1);
}
installWhatIsMissing();
const node = choice ? nodeBinary(version) : process.execPath;
if (node === undefined) {
  const isRequired = choice === '--node';
  const instead = isRequired ? '' : ` Node.js ${process.versions.node} runs this instead.`;
  process.stderr.write(`Node.js ${version} is not available here.${instead}\n`);
  if (isRequired) process.exit(1);
}
runProgram(program, args, node);
