/** The files beside the tables are whole or refused in one line, and replaced as a whole. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { certificateIn } from '../../lib/deploy-time/signing-key/make-signing-key';
import { readKept, writeKept } from '../../local/data-folder';
import { readState, writeState } from '../../local/state';

const files = jest.requireActual<typeof import('node:fs')>('node:fs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('a kept file', () => {
  const schema = z.object({ name: z.string() });

  it('is read as it was written, by its owner only, and leaves no draft', () => {
    const file = join(folder, 'below', 'kept.json');
    writeKept(file, { name: 'first' });
    writeKept(file, { name: 'second' });
    expect(readKept(file, schema, '')).toEqual({ name: 'second' });
    expect(readdirSync(join(folder, 'below'))).toEqual(['kept.json']);
    const modes = [file, join(folder, 'below')].map((path) => statSync(path).mode & 0o777);
    if (process.platform !== 'win32') expect(modes).toEqual([0o600, 0o700]);
  });

  it('is on the disk before it takes the place of the last', () => {
    const done: string[] = [];
    const spies = (['fsyncSync', 'renameSync'] as const).map((name) =>
      jest.spyOn(files, name).mockImplementation(() => void done.push(name)),
    );
    writeKept(join(folder, 'kept.json'), {});
    for (const spy of spies) spy.mockRestore();
    expect(done).toEqual(['fsyncSync', 'renameSync']);
  });

  it('is undefined where there is none', () => {
    expect(readKept(join(folder, 'none.json'), schema, '')).toBeUndefined();
  });

  it('keeps its content when the next cannot be written', () => {
    const file = join(folder, 'kept.json');
    writeKept(file, { name: 'kept' });
    const unwritable = {
      toJSON: () => {
        throw new Error('not to be written');
      },
    };
    expect(refusalOf(() => writeKept(file, unwritable))).toContain('not to be written');
    expect(readKept(file, schema, '')).toEqual({ name: 'kept' });
    expect(readdirSync(folder)).toEqual(['kept.json']);
  });

  it('says that a folder cannot be read as a file, and a file not written as a folder', () => {
    expect(refusalOf(() => readKept(folder, schema, ''))).toMatch(/cannot be read/);
    writeFileSync(join(folder, 'file'), '');
    expect(refusalOf(() => writeKept(join(folder, 'file', 'kept.json'), {}))).toMatch(/is not a folder/);
  });
});

describe('the state of a folder', () => {
  it('is made once, and outlives the process', () => {
    const state = readState(folder);
    const now = { url: 'http://127.0.0.1:1', endpoints: { pexels: 'http://127.0.0.1:2' } };
    writeState(folder, { ...state, ...now });
    expect(readState(folder)).toEqual({ ...state, ...now });
  });

  it.each<[string, (whole: string) => string]>([
    ['is empty', () => ''],
    ['is cut off', (whole) => whole.slice(0, whole.length / 2)],
    ['lacks everything', () => '{}'],
    ['is another kind of JSON', () => '[]'],
    ['has no secret', (whole) => whole.replace(/"ipHashSecret": "\w+"/, '"ipHashSecret": ""')],
    ['has a damaged key', (whole) => whole.replace('BEGIN PRIVATE KEY', 'BEGIN')],
    [
      'has keys that do not belong together',
      (whole) =>
        JSON.stringify({
          ...JSON.parse(whole),
          signingPublicKeyPem: readState(undefined).signingPublicKeyPem,
        }),
    ],
    [
      'has a certificate of another key',
      (whole) => {
        const { contentCredentials, ...state } = JSON.parse(whole) as ReturnType<typeof readState>;
        const [key] = contentCredentials.split('-----BEGIN CERTIFICATE');
        const other = certificateIn(readState(undefined).contentCredentials);
        return JSON.stringify({ ...state, contentCredentials: `${key}${other}` });
      },
    ],
  ])('is refused in one line when it %s, with what to do', (_, damage) => {
    writeState(folder, readState(folder));
    const file = join(folder, 'state.json');
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    const refusal = refusalOf(() => readState(folder));
    expect(refusal).toMatch(/state\.json is damaged\. Restore it.*or delete it: /);
    expect(refusal).not.toMatch(/\n|PRIVATE/);
  });
});
