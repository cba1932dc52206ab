/** The facts in the README match the sources. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { credentialTable } from '../../lambda/contract/credentials';
import { bedrockRegion, defaultModelId, generatorKinds } from '../../lambda/contract/generators';
import { parameterNames } from '../../lambda/contract/parameters';
import {
  anonymousRequestsPerHour,
  defaultPlans,
  planNames,
  testRequestsPerHour,
  unlimitedRequests,
} from '../../lambda/contract/plans';
import { stockProviders } from '../../lambda/contract/providers';
import { choiceBounds, sidePx, styles, visibilities } from '../../lambda/contract/request-bounds';
import { apiRoutes } from '../../lambda/contract/routes';
import { stageOf } from '../../lib/stage';
import manifest from '../../package.json';
import { readme, relativeLinks, root, scriptsInText, tableWith } from './readme';

const codeIn = (cell = ''): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The error that a setting causes, or an empty text. */
function faultOf(setting: string, value: unknown): string {
  try {
    stageOf('dev', { [setting]: value });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the README', () => {
  it('links to files that exist', () => {
    const links = relativeLinks();
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((target) => !existsSync(join(root, target)))).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const scripts = [
      ...scriptsInText(),
      ...[...readme.matchAll(/^npm run ([\w:]+)/gm)].map(([, name = '']) => name),
    ];
    expect(scripts.length).toBeGreaterThan(5);
    for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script);
  });

  it('lists every script of package.json for developers, and no other', () => {
    const listed = tableWith('Script', 'What it does').flatMap(([cell]) => codeIn(cell));
    const commands = Object.keys(manifest.scripts).map((name) =>
      ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`,
    );
    expect(listed).toEqual(commands);
  });

  it('says which credential belongs where, as the documentation page, OpenAPI and llms.txt do', () => {
    expect(readme).toContain(credentialTable());
  });

  it('names folders that exist', () => {
    const [, list = ''] = /Where things are: (.*)/.exec(readme) ?? [];
    const folders = codeIn(list);
    expect(folders).toEqual(['bin', 'lib', 'lambda', 'packages', 'test']);
    expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });

  it('asks for the Node.js that package.json asks for', () => {
    const [, version] = /You need Node\.js ([\d.]+) or newer/.exec(readme) ?? [];
    expect(`>=${version}`).toBe(manifest.engines.node);
  });
});

describe('its settings', () => {
  const names = tableWith('Setting', 'Description').flatMap(([cell]) => codeIn(cell));
  const noSuchSetting = 'there is no such setting';

  it('are settings of a stage', () => {
    expect(names.length).toBeGreaterThan(8);
    for (const name of names)
      expect([name, faultOf(name, {})]).not.toEqual([name, expect.stringContaining(noSuchSetting)]);
    expect(faultOf('slotBinding', {})).toContain(noSuchSetting);
  });

  it('name the generators that there are', () => {
    const [, cell] = tableWith('Setting', 'Description').find(([name]) => name === '`generator`') ?? [];
    const server = { baseUrl: 'https://images.example', model: 'any' };
    expect(codeIn(cell)).toEqual(generatorKinds);
    for (const kind of generatorKinds)
      expect([kind, faultOf('generator', { kind, ...(kind === 'openai-compatible' ? server : {}) })]).toEqual(
        [kind, ''],
      );
    expect(faultOf('generator', { kind: 'another' })).not.toBe('');
  });

  it('have the stated defaults', () => {
    for (const stage of ['dev', 'prod'] as const) {
      const { slotBindings, generator } = stageOf(stage);
      expect(new Set(Object.values(slotBindings))).toEqual(new Set(['openverse', 'wikimedia']));
      expect(generator).toMatchObject({
        modelId: defaultModelId,
        region: bedrockRegion,
      });
    }
    expect(defaultModelId).toContain('stable-image-core');
    expect(readme).toMatch(
      /come from Openverse and Wikimedia Commons.* Stable Image Core on Amazon Bedrock in /,
    );
    expect(readme).toContain(`on Amazon Bedrock in ${bedrockRegion}`);
  });
});

describe('its plans and bounds', () => {
  const plans = new Map(tableWith('Plan', 'Requests').map(([plan = '', requests = '']) => [plan, requests]));

  it('are those of the plans', () => {
    expect([...plans.keys()]).toEqual(['anonymous', ...planNames]);
    expect(plans.get('anonymous')).toBe(`${anonymousRequestsPerHour} per hour and IP address`);
    for (const name of planNames) {
      const { monthlyRequests } = defaultPlans[name];
      const words =
        monthlyRequests === unlimitedRequests
          ? 'unlimited'
          : `${monthlyRequests.toLocaleString('en')} per month`;
      expect([name, plans.get(name)]).toEqual([name, words]);
    }
    expect(readme).toContain(`A test key (\`pk_test_…\`) has ${testRequestsPerHour} requests per hour`);
  });

  it('are those of a request', () => {
    const { min, max, defaultWidth, defaultHeight } = sidePx;
    expect(readme).toContain(
      `\`width\`, \`height\` (${min}–${max}, default ${defaultWidth}×${defaultHeight})`,
    );
    for (const name of ['variation', 'alt'])
      expect(readme).toContain(`\`${name}\` (${choiceBounds.min}–${choiceBounds.max}, free when`);
  });

  it('name every parameter, provider and route', () => {
    const rows = tableWith('', '').map((cells) => cells.join(' '));
    const named = rows.flatMap(codeIn).join(' ');
    for (const parameter of parameterNames) expect(named).toMatch(new RegExp(`\\b${parameter}\\b`));
    const providers = stockProviders.filter((name) => name !== 'sandbox');
    for (const provider of providers) expect(readme.toLowerCase()).toContain(provider);
    const paths = apiRoutes.map(({ path }) => path).filter((path) => path.startsWith('/api/'));
    const segments = (path: string) => path.replace(/\{.*?\}.*/, '');
    for (const path of paths) expect(named).toContain(segments(path));
  });

  it('spell the choices as the service does', () => {
    expect([...styles, ...visibilities]).toEqual([
      'photo',
      'minimal',
      'dark',
      'illustration',
      'private',
      'public',
    ]);
    expect(readme).toContain('the styles photo, minimal, dark and illustration');
  });
});
