/** What one setting of a stage demands of another. */

/** The settings that depend on each other. */
interface Dependent {
  readonly monthlyBudgetUsd?: number | undefined;
  readonly alarmEmail?: string | undefined;
  readonly edge: boolean;
  readonly apiDomain?: { readonly certificateArn: string } | undefined;
}

/** A sentence for each setting that another one does not allow; none where all fit together. */
export function dependencyFaults({
  monthlyBudgetUsd,
  alarmEmail,
  edge,
  apiDomain,
}: Dependent): readonly string[] {
  const faults: string[] = [];
  if (monthlyBudgetUsd !== undefined && alarmEmail === undefined)
    faults.push('monthlyBudgetUsd needs alarmEmail, the address that is notified');
  if (edge && apiDomain && !apiDomain.certificateArn.includes(':us-east-1:'))
    faults.push('apiDomain.certificateArn: with edge, CloudFront takes certificates of us-east-1 only');
  return faults;
}
