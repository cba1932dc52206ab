/** The files beside the tables are whole or refused in one line, and replaced as a whole. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { certificateIn } from '../../lib/key-maker/certificates';
import { readKept, writeKept } from '../../local/data-folder';
import { type LocalState, readState, writeState } from '../../local/state';

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
  it('is made once, and outlives the process', async () => {
    const state = await readState(folder);
    const now = { url: 'http://127.0.0.1:1', endpoints: { pexels: 'http://127.0.0.1:2' } };
    writeState(folder, { ...state, ...now });
    expect(await readState(folder)).toEqual({ ...state, ...now });
  });

  it.each<[string, (whole: string, other: LocalState) => string]>([
    ['is empty', () => ''],
    ['is cut off', (whole) => whole.slice(0, whole.length / 2)],
    ['lacks everything', () => '{}'],
    ['is another kind of JSON', () => '[]'],
    ['has no secret', (whole) => whole.replace(/"ipHashSecret": "\w+"/, '"ipHashSecret": ""')],
    ['has a damaged key', (whole) => whole.replace('BEGIN PRIVATE KEY', 'BEGIN')],
    [
      'has keys that do not belong together',
      (whole, { signingPublicKeyPem }) => JSON.stringify({ ...JSON.parse(whole), signingPublicKeyPem }),
    ],
    [
      'has a certificate of another key',
      (whole, { contentCredentials: others }) => {
        const { contentCredentials, ...state } = JSON.parse(whole) as LocalState;
        const [key] = contentCredentials.split('-----BEGIN CERTIFICATE');
        return JSON.stringify({ ...state, contentCredentials: `${key}${certificateIn(others)}` });
      },
    ],
  ])('is refused in one line when it %s, with what to do', async (_, damage) => {
    writeState(folder, await readState(folder));
    const file = join(folder, 'state.json');
    writeFileSync(file, damage(readFileSync(file, 'utf8'), await readState(undefined)));
    const refusal = await readState(folder).then(String, ({ message }: Error) => message);
    expect(refusal).toMatch(/state\.json is damaged\. Restore it.*or delete it: /);
    expect(refusal).not.toMatch(/\n|PRIVATE/);
  });
});
