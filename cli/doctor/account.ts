/** What the doctor reads of an AWS account and of a deployed stack; nothing in here changes anything. */

import type { Lifecycle } from '../../lambda/generation/models/bedrock/lifecycle';
import type { Allowance } from '../../lambda/quota/quota';

/** Every method throws what the SDK throws when AWS refuses or does not answer. */
export interface Account {
  /** Absent when none is configured. */
  readonly region: string | undefined;
  /** Its 12-digit id. */
  readonly accountId: () => Promise<string>;
  readonly functionLimits: () => Promise<FunctionLimits>;
  /** ARN of the role by which API Gateway writes logs, for the whole account and region. */
  readonly gatewayLogRole: () => Promise<string | undefined>;
  readonly modelLifecycle: (modelId: string, region: string, nowMs: number) => Promise<Lifecycle>;
  readonly modelAvailability: (modelId: string, region: string) => Promise<ModelAvailability>;
  readonly certificate: (arn: string) => Promise<CertificateFacts | undefined>;
  /** Names of CloudFront's key groups, public keys, access controls and response header policies. */
  readonly cdnNames: () => Promise<readonly string[]>;
  readonly stack: (name: string) => Promise<StackFacts | undefined>;
  /** Of a stack that exists. */
  readonly resources: (stack: string) => Promise<readonly StackResource[]>;
  readonly alarms: (names: readonly string[]) => Promise<readonly AlarmFacts[]>;
  readonly topic: (arn: string) => Promise<TopicFacts>;
  readonly rule: (name: string) => Promise<RuleFacts>;
  /** Environment of a function; none of the generator's is a secret. */
  readonly functionVariables: (functionName: string) => Promise<Readonly<Record<string, string>>>;
  /** Units that a counter of the service has taken. */
  readonly taken: (table: string, allowance: Allowance) => Promise<number>;
  readonly secret: (id: string) => Promise<SecretFacts>;
}

export interface FunctionLimits {
  /** Executions at once of all functions of the account in the region. */
  readonly concurrent: number;
  /** Those of them that no function has reserved. */
  readonly unreserved: number;
}

export interface ModelAvailability {
  readonly isAuthorized: boolean;
  readonly isInRegion: boolean;
  readonly isEntitled: boolean;
  /** Whether the agreement with the model's seller is made. */
  readonly isAgreed: boolean;
}

export interface CertificateFacts {
  readonly status: string;
  readonly names: readonly string[];
  /** Moment (epoch, milliseconds); absent before it is issued. */
  readonly endsMs?: number;
}

export interface StackFacts {
  readonly status: string;
  /** Values by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

export interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

export interface AlarmFacts {
  readonly name: string;
  readonly isEnabled: boolean;
  /** ARNs of what is notified when it fires. */
  readonly actions: readonly string[];
}

export interface TopicFacts {
  /** JSON. */
  readonly policy: string;
  readonly confirmed: number;
  readonly pending: number;
}

export interface RuleFacts {
  readonly isEnabled: boolean;
  readonly targets: number;
}

export interface SecretFacts {
  readonly isBeingDeleted: boolean;
  /** Absent when there is no current value. Never printed. */
  readonly value?: string;
}
