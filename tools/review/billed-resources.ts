/** Counts the resources of a template that AWS bills by the month, whatever the stack serves. */

export interface BilledResources {
  readonly secrets: number;
  /** An alarm on several metrics counts once for each. */
  readonly alarmMetrics: number;
  readonly dashboards: number;
  readonly firewalls: number;
  /** Of all firewalls together. */
  readonly firewallRules: number;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    /** Of an alarm on several metrics. */
    readonly Metrics?: readonly { readonly MetricStat?: unknown }[];
    /** Of a firewall. */
    readonly Rules?: readonly unknown[];
  };
}

/** @param template of a stack, as CloudFormation takes it */
export function billedResourcesOf(template: Readonly<Record<string, unknown>>): BilledResources {
  const all = Object.values((template['Resources'] ?? {}) as Readonly<Record<string, Resource>>);
  const of = (type: string) => all.filter(({ Type }) => Type === type);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const firewalls = of('AWS::WAFv2::WebACL');
  return {
    secrets: of('AWS::SecretsManager::Secret').length,
    alarmMetrics: sum(
      of('AWS::CloudWatch::Alarm').map(
        ({ Properties: { Metrics } = {} }) =>
          Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1,
      ),
    ),
    dashboards: of('AWS::CloudWatch::Dashboard').length,
    firewalls: firewalls.length,
    firewallRules: sum(firewalls.map(({ Properties: { Rules = [] } = {} }) => Rules.length)),
  };
}
