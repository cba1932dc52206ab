/** The README's signers in other languages, run against the vectors where the language is installed. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretOf, vectors } from './vectors';

const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');

/**
 * A language: its name, the name of its blocks of code, what starts it, and the code before and after the
 * function, which reads a list of argument lists as JSON and prints a URL for each.
 */
type Language = readonly [
  name: string,
  fence: string,
  version: string,
  command: string,
  before: string,
  after: string,
];

const languages: readonly Language[] = [
  [
    ...(['Node.js', 'js', 'node --version', 'node main.mjs', ''] as const),
    `import { readFileSync } from 'node:fs';
for (const each of JSON.parse(readFileSync(0, 'utf8'))) console.log(sign(...each));`,
  ],
  [
    ...(['Python', 'python', 'python3 --version', 'python3 main.py', ''] as const),
    'import json, sys\nfor args in json.load(sys.stdin): print(sign(*args))',
  ],
  [
    ...(['PHP', 'php', 'php --version', 'php main.php', '<?php\n'] as const),
    'foreach (json_decode(stream_get_contents(STDIN), true) as $args) echo sign(...$args), "\\n";',
  ],
  [
    ...(['Ruby', 'ruby', 'ruby --version', 'ruby -EUTF-8:UTF-8 main.rb', "require 'json'\n"] as const),
    'JSON.parse(STDIN.read).each { |args| puts sign(*args) }',
  ],
  [
    ...(['Go', 'go', 'go version', 'go run main.go'] as const),
    'package main\nimport ("encoding/json"; "os")\n',
    `func main() {
  var calls [][]any
  if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil { panic(err) }
  for _, a := range calls {
    values := url.Values{}
    for name, value := range a[1].(map[string]any) { values.Set(name, value.(string)) }
    signed, err := Sign(a[0].(string), values, a[2].(string), a[3].(string), a[4].(string))
    if err != nil { panic(err) }
    fmt.Println(signed)
  }
}`,
  ],
];

const base = 'https://img.example.com';
/** The same parameters have the same signature in either form of a URL. */
const calls = vectors.map(({ canonical, signer, expires = '' }) => [
  base,
  Object.fromEntries(new URLSearchParams(canonical)),
  signer,
  secretOf(signer),
  expires,
]);
const wanted = vectors.map(
  ({ canonical, signer, expires, signature }) =>
    `${base}/api/image?${canonical}&signer=${signer}${expires ? `&expires=${expires}` : ''}&signature=${signature}`,
);

describe('the signer in', () => {
  let scratch = '';
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'signer-'));
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  test.each(languages)(
    '%s makes every signature of the vectors where it is installed, in ten lines',
    (name, fence, version, command, before, after) => {
      const section = readme.slice(readme.indexOf(`### ${name}\n`));
      const code = new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? '';
      const body = code.slice(code.search(/^(?:export |)(?:def|func|function) /m));
      // A brace alone is none.
      expect(body.split('\n').filter((line) => /\w/.test(line)).length).toBeLessThanOrEqual(10);
      const [asked = '', flag = ''] = version.split(' ');
      if (spawnSync(asked, [flag]).status !== 0) return;
      const [program = '', ...args] = command.split(' ');
      writeFileSync(join(scratch, args.at(-1) ?? ''), before + code + after);
      const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', GOWORK: 'off' };
      const input = JSON.stringify(calls);
      const { stdout, stderr } = spawnSync(program, args, { cwd: scratch, env, input, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(stdout.trim().split('\n')).toEqual(wanted);
    },
    // Go compiles its library at the first run.
    300_000,
  );
});
