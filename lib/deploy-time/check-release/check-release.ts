/** The custom resource that refuses a release which would take back what the stack that it updates has. */

import { joinOutput, outputs } from '../../../lambda/contract/outputs';
import type { Work } from '../custom-resource';

/** Settings that differ from their defaults, by name. */
type Settings = Readonly<Record<string, unknown>>;

/** What a release says of itself, as properties of its resource, which CloudFormation hands over as texts. */
export interface ReleaseFacts {
  readonly Version: string;
  /** JSON of the settings that it has. */
  readonly Settings: string;
  /** JSON of the defaults of its parameters, which are among the settings whatever their value. */
  readonly Defaults: string;
  /** What may go back all the same: names of settings and `version`, separated by commas. */
  readonly MayGoBack: string;
}

/**
 * Names of the settings that a deployment would set back to their defaults.
 * @param defaults of settings that are planned although they may be at their default
 */
export function settingsGoingBack(
  deployed: Settings,
  planned: Settings,
  defaults: Settings = {},
): readonly string[] {
  return Object.keys(deployed).filter((name) => {
    const isDefault = !(name in planned) || String(planned[name]) === String(defaults[name]);
    return isDefault && String(deployed[name]) !== String(planned[name]);
  });
}

/** A sentence for each secret whose version in use a deployment would no longer trust: what it has signed would end. */
export function faultsOfSecrets(deployed: Settings, planned: Settings): readonly string[] {
  return ['signingKey', 'originLock'].flatMap((name) => {
    type Versions = { readonly version: number; readonly trusted: readonly number[] } | undefined;
    const inUse = (deployed[name] as Versions)?.version ?? 1;
    const trusted = (planned[name] as Versions)?.trusted ?? [1];
    if (trusted.includes(inUse)) return [];
    return `${name} no longer trusts version ${inUse}, which is in use. Trust both versions for one deployment first.`;
  });
}

/** Whether a version (`1.2.3`) comes before another. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}

/** @param outputsOf reads the outputs that a stack has from its last deployment; none of a new one */
export function checkRelease(
  outputsOf: (stackId: string) => Promise<Readonly<Record<string, string>>>,
): Work {
  return async ({ RequestType, StackId, ResourceProperties }) => {
    const values = RequestType === 'Delete' ? {} : await outputsOf(StackId);
    const text = joinOutput(outputs.settings, values);
    if (text === undefined) return {};
    const { Version, Settings, Defaults, MayGoBack } = ResourceProperties as unknown as ReleaseFacts;
    const [deployed, planned, defaults] = [text, Settings, Defaults].map((each) => JSON.parse(each));
    const version = values[outputs.version];
    const back = [...settingsGoingBack(deployed, planned, defaults)];
    if (version && isOlder(Version, version)) back.push('version');
    const refused = back.filter((name) => !MayGoBack.split(',').includes(name));
    const faults = [...faultsOfSecrets(deployed, planned)];
    if (refused.length > 0)
      faults.push(
        `This release (${Version}) would set back what the stack${version ? ` (${version})` : ''} has: ${refused.join(', ')}. Launch a release that keeps it, or accept it with the parameter mayGoBack=${refused.join(',')}.`,
      );
    if (faults.length > 0) throw new Error(faults.join(' '));
    return {};
  };
}
