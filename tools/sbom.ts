/**
 * Writes software bills of materials (CycloneDX JSON) of what is delivered: the functions as they are bundled, with the
 * native libraries beside them, and the client package. `npm run sbom -- --out FOLDER`.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand, run } from '../cli/command';
import { bundle, entryOf, projectRoot } from '../lib/functions/bundle';
import { nativeLibraries, sharpPackages } from '../lib/functions/native-sharp';
import { pageMetafiles } from '../lib/functions/page-assets';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** What npm says of the packages in package-lock.json. */
function bomOf(...options: readonly string[]): Bom {
  const flags = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...options];
  const shell = process.platform === 'win32';
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const cwd = projectRoot;
  return JSON.parse(execFileSync('npm', flags, { cwd, shell, stdio: [...stdio], maxBuffer: 1e8 }).toString());
}

/** A bill of the components among those of another. */
function narrowed(bom: Bom, component: Component, components: readonly Component[]): Bom {
  const kept = new Set([component, ...components].map((each) => each['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  return { ...bom, metadata: { ...bom.metadata, component }, components, dependencies };
}

/** The functions below a folder: those with a `main.ts`. */
const namesIn = (folder: string) =>
  readdirSync(join(projectRoot, folder)).filter((name) =>
    existsSync(join(projectRoot, folder, name, 'main.ts')),
  );

/** The source of each function, also of those that only deployments call. */
const functions = [
  ...namesIn('lambda/functions').map((name) => [name, entryOf(name)] as const),
  ...namesIn('lib/deploy-time').map((name) => [name, `lib/deploy-time/${name}/main.ts`] as const),
];

/** `name@version` of every package that bytes of a function come from. */
function packagesIn(name: string, entry: string): ReadonlySet<string> {
  const { metafile } = bundle({ entry, outDir: `.build/sbom/${name}` });
  // The pages' scripts are a text in the bundle.
  const metafiles = [metafile, ...(name === 'docs' ? pageMetafiles() : [])];
  const outputs = metafiles.flatMap((each) => Object.values(each.outputs));
  const inputs = outputs.flatMap(({ inputs: from }) =>
    Object.entries(from).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const refs = [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(projectRoot, folder, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
  const draws = outputs.some(({ imports }) => imports.some(({ path }) => path === 'sharp'));
  return new Set([...refs, ...(draws ? sharpPackages() : [])]);
}

function bomOfFunctions(): Bom {
  const bom = bomOf();
  const contents = functions.map(([name, entry]) => [name, packagesIn(name, entry)] as const);
  const usedIn = (ref: string) => contents.filter(([, packages]) => packages.has(ref)).map(([name]) => name);
  const components = bom.components.flatMap((component) => {
    const names = usedIn(component['bom-ref']);
    const named = names.map((value) => ({ name: 'image-redirect:function', value }));
    return names.length === 0
      ? []
      : [{ ...component, properties: [...(component.properties ?? []), ...named] }];
  });
  const listed = new Set(components.map((component) => component['bom-ref']));
  const missing = contents.flatMap(([, packages]) => [...packages]).filter((ref) => !listed.has(ref));
  if (missing.length > 0) throw new Error(`package-lock.json does not hold ${missing.join(', ')}`);
  const native = Object.entries(nativeLibraries()).map(([name, version]) => {
    const purl = `pkg:generic/${name}@${version}`;
    return { 'bom-ref': purl, type: 'library', name, version, purl };
  });
  // npm names the project after its folder.
  const root = { ...bom.metadata.component, name: 'image-redirect' };
  return narrowed(bom, root, [...components, ...native]);
}

function bomOfClient(): Bom {
  const bom = bomOf('--omit', 'dev', '--workspace', '@image-redirect/client');
  // Its name is that of its folder.
  const client = bom.components.find((each) => each['bom-ref'].startsWith('@image-redirect/client@'));
  if (!client) throw new Error('npm lists no client package');
  const others = bom.components.filter((each) => each !== client);
  return narrowed(bom, { ...client, name: '@image-redirect/client' }, others);
}

void run(
  createCommand('sbom', {
    summary: 'Write software bills of materials (CycloneDX) of the functions and the client package.',
    program: 'npm run sbom --',
    examples: ['--out sbom'],
  })
    .requiredOption('--out <FOLDER>', 'folder to write to, which is made where it is not there')
    .action(({ out }: { readonly out: string }) => {
      mkdirSync(out, { recursive: true });
      const boms = { functions: bomOfFunctions(), client: bomOfClient() };
      for (const [name, bom] of Object.entries(boms)) {
        const file = join(out, `${name}.cdx.json`);
        writeFileSync(file, `${JSON.stringify(bom, undefined, 2)}\n`);
        console.log(`${file}: ${bom.components.length} components`);
      }
    }),
);
