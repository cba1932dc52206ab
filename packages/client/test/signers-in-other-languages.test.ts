/** Runs the signers of the README against the vectors, in each language that is installed. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSecret, vectors } from './vectors';

const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');

/** What runs a language, and the code before and after its function, which prints a URL for each list of arguments. */
const languages = [
  {
    ...{ name: 'Node.js', fence: 'js', run: 'node main.mjs', before: '' },
    after: `import { readFileSync } from 'node:fs';
for (const each of JSON.parse(readFileSync(0, 'utf8'))) console.log(sign(...each));`,
  },
  {
    ...{ name: 'Python', fence: 'python', run: 'python3 main.py', before: '' },
    after: 'import json, sys\nfor args in json.load(sys.stdin): print(sign(*args))',
  },
  {
    ...{ name: 'PHP', fence: 'php', run: 'php main.php', before: '<?php\n' },
    after: 'foreach (json_decode(stream_get_contents(STDIN), true) as $args) echo sign(...$args), "\\n";',
  },
  {
    ...{ name: 'Ruby', fence: 'ruby', run: 'ruby -EUTF-8:UTF-8 main.rb', before: "require 'json'\n" },
    after: 'JSON.parse(STDIN.read).each { |args| puts sign(*args) }',
  },
  {
    ...{ name: 'Go', fence: 'go', run: 'go run main.go' },
    before: 'package main\nimport ("encoding/json"; "os")\n',
    after: `func main() {
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
  },
];

const base = 'https://img.example.com';
/** The same parameters have the same signature in either form of a URL. */
const calls = vectors.map(({ canonical, signer, expires = '' }) => [
  base,
  Object.fromEntries(new URLSearchParams(canonical)),
  signer,
  getSecret(signer),
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
    '$name signs all vectors in ten lines if it is installed',
    ({ name, fence, run, before, after }) => {
      const section = readme.slice(readme.indexOf(`### ${name}\n`));
      const code = new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? '';
      const body = code.slice(code.search(/^(?:export |)(?:def|func|function) /m));
      // A line with only a brace does not count.
      expect(body.split('\n').filter((line) => /\w/.test(line)).length).toBeLessThanOrEqual(10);
      const [program = '', ...args] = run.split(' ');
      if (spawnSync(program, [program === 'go' ? 'version' : '--version']).status !== 0) return;
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
