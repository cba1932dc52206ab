/** The signers of `signers/`, run against the vectors in every language that is installed here. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedParameters } from '../src/service';
import { secretOf, vectors } from './vectors';

const folder = join(__dirname, '../signers');

interface Language {
  readonly name: string;
  readonly file: string;
  /** Succeeds where the language is installed. */
  readonly version: readonly string[];
  /** How long a first run may compile, in milliseconds, where that is long. */
  readonly compileMs?: number;
  /** Reads a JSON list of argument lists and prints a signed URL for each. */
  readonly run: (scratch: string) => readonly string[];
}

const languages: readonly Language[] = [
  {
    name: 'Python',
    file: 'sign.py',
    version: ['python3', '--version'],
    run: () => [
      'python3',
      '-B',
      '-c',
      `import json, sys; sys.path.insert(0, ${JSON.stringify(folder)}); from sign import sign
for args in json.load(sys.stdin): print(sign(*args))`,
    ],
  },
  {
    name: 'PHP',
    file: 'sign.php',
    version: ['php', '--version'],
    run: () => [
      'php',
      '-r',
      `require '${folder}/sign.php'; foreach (json_decode(stream_get_contents(STDIN)) as $args) echo sign(...$args), "\\n";`,
    ],
  },
  {
    name: 'Ruby',
    file: 'sign.rb',
    version: ['ruby', '--version'],
    run: () => [
      'ruby',
      '-EUTF-8:UTF-8',
      '-rjson',
      `-r${folder}/sign.rb`,
      '-e',
      'JSON.parse(STDIN.read).each { |args| puts sign(*args) }',
    ],
  },
  {
    name: 'Go',
    file: 'sign.go',
    version: ['go', 'version'],
    compileMs: 300_000,
    run: (scratch) => {
      mkdirSync(join(scratch, 'signer'));
      copyFileSync(join(folder, 'sign.go'), join(scratch, 'signer/sign.go'));
      writeFileSync(join(scratch, 'go.mod'), 'module vectors\n\ngo 1.20\n');
      writeFileSync(
        join(scratch, 'main.go'),
        `package main
import ("encoding/json"; "fmt"; "os"; "vectors/signer")
func main() {
  var calls [][]string
  if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil { panic(err) }
  for _, a := range calls {
    signed, err := signer.Sign(a[0], a[1], a[2], a[3])
    if err != nil { panic(err) }
    fmt.Println(signed)
  }
}
`,
      );
      return ['go', 'run', '.'];
    },
  },
];

const calls = vectors.map(({ url, signer, expires = '' }) => [url, signer, secretOf(signer), expires]);

describe('the signer in', () => {
  let scratch = '';
  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), 'signer-'));
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  for (const { name, file, version, compileMs, run } of languages) {
    const [command = '', ...more] = version;
    const isInstalled = spawnSync(command, more).status === 0;

    it(
      isInstalled
        ? `${name} makes every signed URL of the vectors`
        : `${name} is not run: it is not installed here`,
      () => {
        if (!isInstalled) return;
        const [program = '', ...args] = run(scratch);
        const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', GOWORK: 'off' };
        const { stdout, stderr } = spawnSync(program, args, {
          cwd: scratch,
          env,
          input: JSON.stringify(calls),
          encoding: 'utf8',
        });
        expect(stderr).toBe('');
        const made = stdout.trim().split('\n');
        expect(vectors.filter(({ signed }, i) => made[i] !== signed).map((vector) => vector.name)).toEqual(
          [],
        );
        expect(made).toHaveLength(vectors.length);
      },
      compileMs,
    );

    it(`${name} names the same parameters as the package`, () => {
      expect(readFileSync(join(folder, file), 'utf8')).toContain(signedParameters.join(' '));
    });
  }
});
