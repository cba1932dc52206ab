/** The bills of materials name what is delivered, and nothing else. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dependencies } from '../../packages/client/package.json';

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly purl: string;
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = (name: string): Bom => JSON.parse(readFileSync(join(folder, `${name}.cdx.json`), 'utf8'));

it('lists the packages of the bundles with the libraries beside them, and those of the client', () => {
  const args = ['--no-warnings', '--import', 'tsx', 'tools/sbom.ts', '--out', folder];
  execFileSync(process.execPath, args, { stdio: 'pipe' });
  const [functions, client] = [written('functions'), written('client')];
  for (const bom of [functions, client]) {
    expect(bom.bomFormat).toBe('CycloneDX');
    for (const { purl } of bom.components) expect(purl).toMatch(/^pkg:(npm|generic)\/.+@.+/);
    const refs = new Set(
      [bom.metadata.component, ...bom.components].map((each) => 'bom-ref' in each && each['bom-ref']),
    );
    for (const { ref, dependsOn } of bom.dependencies)
      for (const each of [ref, ...dependsOn]) expect(refs).toContain(each);
  }
  const names = functions.components.map(({ name }) => name);
  const delivered = [
    'zod',
    'sharp',
    '@img/sharp-libvips-linux-arm64',
    '@aws-sdk/client-s3',
    'chartist',
    'vips',
  ];
  expect(names).toEqual(expect.arrayContaining(delivered));
  for (const tool of ['esbuild', 'aws-cdk-lib', 'commander', 'jest']) expect(names).not.toContain(tool);
  expect(client.metadata.component.name).toBe('@image-redirect/client');
  expect(client.components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(dependencies)),
  );
}, 60_000);
