// Lets `require` load the project's TypeScript. All of it is compiled in one go where a file is new or has changed, and kept
// in .build/: a hook that compiles file by file takes most of the time in which the local service starts.
const { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

const root = join(__dirname, '..');
const kept = join(root, '.build', 'typescript.json');
const folders = ['bin', 'cli', 'lambda', 'lib', 'local', 'packages/client/src', 'packages/scene/src'];

/** Code by file, with the time and size of the source that it was compiled from. */
let compiled;
try {
  compiled = JSON.parse(readFileSync(kept, 'utf8'));
} catch {
  compiled = {};
}

function compileAll() {
  const { buildSync } = require('esbuild');
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /(?<!\.d|warm-main)\.ts$/.test(name))
      .map((name) => join(root, folder, name)),
  );
  const { outputFiles } = buildSync({
    entryPoints: sources,
    outdir: root,
    outbase: root,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // `import()` would not come by here.
    supported: { 'dynamic-import': false },
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'silent',
  });
  compiled = {};
  for (const { path, text } of outputFiles) {
    const file = path.replace(/\.js$/, '.ts');
    const { mtimeMs, size } = statSync(file);
    compiled[file] = { mtimeMs, size, code: text };
  }
  try {
    mkdirSync(join(root, '.build'), { recursive: true });
    writeFileSync(`${kept}.${process.pid}`, JSON.stringify(compiled));
    renameSync(`${kept}.${process.pid}`, kept);
  } catch {
    // A folder that cannot be written costs the compilation at each start.
  }
}

function codeOf(file) {
  const { mtimeMs, size } = statSync(file);
  const cached = compiled[file];
  return cached?.mtimeMs === mtimeMs && cached.size === size ? cached.code : undefined;
}

Module.enableCompileCache?.(join(root, '.build', 'v8'));
process.setSourceMapsEnabled(true);
Module._extensions['.ts'] = (module, file) => {
  if (codeOf(file) === undefined) compileAll();
  module._compile(codeOf(file), file);
};
