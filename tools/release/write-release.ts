/** Writes a release: the template of a stage with parameters, and the code of the functions as zip files beside it. */

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CfnParameter,
  type CfnParameterProps,
  CliCredentialsStackSynthesizer,
  Fn,
  type IStackSynthesizer,
} from 'aws-cdk-lib';
import { zipSync } from 'fflate';
import * as z from 'zod';
import { ImageRedirectStack } from '../../lib/image-redirect-stack';
import { ReleaseCheck } from '../../lib/release-check';
import { changedSettings, type Stage, stackNameOf } from '../../lib/stage';
import { asciiJson, stageSettings } from '../../lib/stage-settings';
import manifest from '../../package.json';

/** Settings that are parameters of the template. Each of the others decides which resources there are, or is a text of JSON. */
const parameterSettings = [
  'alarmEmail',
  'contact',
  'generationsPerDay',
  'generationsPerHourAlarm',
  'logRetentionDays',
  'redirectMaxAgeS',
] as const satisfies readonly (keyof Stage)[];

/** Where CloudFormation finds the functions' code, and what an update of a stack may take back. */
const launchParameters: Readonly<Record<string, CfnParameterProps>> = {
  assetsBucket: {
    description: 'Bucket in the region of the stack that the folder of the release was copied to',
  },
  mayGoBack: {
    description:
      'What an update may set back to its default: names of settings, and version, separated by commas',
    default: '',
  },
  assetsPrefix: { description: 'What its key begins with in the bucket, such as releases/', default: '' },
};

/** Stands for the name of the release until its content is known. */
const unnamed = '(release)';

/** A release that was written. */
export interface Release {
  /** Of its folder, and of the folder in the bucket: another one for each content. */
  readonly name: string;
  /** The name that a stack of it must have, as names of resources contain it. */
  readonly stackName: string;
  readonly folder: string;
  /** Names of the parameters without a default. */
  readonly required: readonly string[];
}

/**
 * @param out folder in which the release gets a folder of its own
 * @param context of the CDK, as in cdk.json
 */
export function writeRelease(stage: Stage, out: string, context: Readonly<Record<string, unknown>>): Release {
  const outdir = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const stackName = stackNameOf(stage);
    const parameters = { ...launchParameters, ...settingParameters(stage) };
    const app = new App({ outdir, context, analyticsReporting: false });
    const launched = withParameters(stage, Object.keys(parameters));
    const stack = new ImageRedirectStack(app, stackName, {
      stage: launched,
      description: manifest.description,
      synthesizer: new CliCredentialsStackSynthesizer({
        fileAssetsBucketName: `\${assetsBucket}`,
        bucketPrefix: `\${assetsPrefix}${unnamed}/`,
        // The CDK's classes and interfaces disagree on exact optional properties.
      }) as IStackSynthesizer,
    });
    new ReleaseCheck(stack, launched, {
      Version: manifest.version,
      Settings: asciiJson(changedSettings(launched)),
      Defaults: asciiJson(Object.fromEntries(parameterSettings.map((name) => [name, stage[name]]))),
      MayGoBack: Fn.ref('mayGoBack'),
    });
    for (const [name, props] of Object.entries(parameters)) new CfnParameter(stack, name, props);
    app.synth();

    const template = readFileSync(join(outdir, `${stackName}.template.json`), 'utf8');
    const hash = createHash('sha256').update(template).digest('hex').slice(0, 8);
    const name = `${stackName}-${manifest.version}-${hash}`;
    const folder = join(out, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'template.json'), template.replaceAll(unnamed, name));
    const { files } = JSON.parse(readFileSync(join(outdir, `${stackName}.assets.json`), 'utf8'));
    for (const [id, { source }] of Object.entries<{ source: { path: string; packaging: string } }>(files))
      if (source.packaging === 'zip')
        writeFileSync(join(folder, `${id}.zip`), zipOf(join(outdir, source.path)));
    const required = Object.keys(parameters).filter((each) => parameters[each]?.default === undefined);
    return { name, stackName, folder, required };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** The parameters for settings, by the settings' names, with what the stage has as their defaults; what it has switched off is no parameter. */
function settingParameters(stage: Stage): Readonly<Record<string, CfnParameterProps>> {
  const settings = parameterSettings.filter((setting) => stage[setting] !== 'off');
  return Object.fromEntries(
    settings.map((setting) => {
      const schema = z.toJSONSchema(stageSettings.shape[setting], { io: 'input' });
      const {
        type,
        minimum,
        maximum,
        pattern,
        enum: values,
      } = { ...schema, ...(schema.anyOf?.[0] as typeof schema) };
      const props = {
        type: type === 'string' ? 'String' : 'Number',
        description: schema.description,
        default: stage[setting],
        minValue: minimum,
        maxValue: maximum,
        allowedPattern: pattern,
        allowedValues: values?.map(String),
      };
      const given = Object.entries(props).filter(([, value]) => value !== undefined);
      return [setting, Object.fromEntries(given)];
    }),
  );
}

/** The stage with references in the place of its settings, first of all, so that an output that is divided divides none. */
function withParameters(stage: Stage, parameters: readonly string[]): Stage {
  const settings = parameterSettings.filter((setting) => parameters.includes(setting));
  const references = Object.fromEntries(settings.map((setting) => [setting, Fn.ref(setting)]));
  return { ...references, ...stage, ...references };
}

/** A zip file of a folder: the same bytes for the same content. */
function zipOf(folder: string): Uint8Array {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  // Seconds of 1980 are the first that the format knows; the mode lets Lambda's user read the files.
  const options = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o644 << 16 };
  return zipSync(
    Object.fromEntries(files.map((name) => [name, [readFileSync(join(folder, name)), options]])),
  );
}
