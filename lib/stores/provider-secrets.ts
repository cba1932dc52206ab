/** Keys of stock providers and of the generator, which the operator fills in; made only when something needs a key. */

import type { Construct } from 'constructs';
import { variables } from '../../lambda/contract/environment';
import { generatorFacts } from '../../lambda/contract/generators';
import { needsKey } from '../../lambda/contract/providers';
import type { NodeFunction } from '../functions/node-function';
import type { Stage } from '../stage';
import { GeneratedSecret } from './secrets';

export class ProviderSecrets {
  private readonly secret: GeneratedSecret | undefined;
  private readonly stockNeedsKeys: boolean;
  private readonly generatorNeedsKey: boolean;

  constructor(scope: Construct, stage: Stage) {
    const { slotBindings, generator } = stage;
    this.stockNeedsKeys = Object.values(slotBindings).some(needsKey);
    this.generatorNeedsKey = generatorFacts(generator).keyName !== undefined;
    this.secret =
      this.stockNeedsKeys || this.generatorNeedsKey
        ? new GeneratedSecret(
            scope,
            'ProviderSecret',
            stage,
            'The keys are issued by the providers, who offer no way to rotate them by program.',
            {
              description: 'JSON object: provider → its API key. Fill it in after the first deployment',
              generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'placeholder' },
            },
          )
        : undefined;
  }

  /** To read the stock providers' keys; nothing where all of them are keyless. */
  grantReadForStock(fn: NodeFunction): void {
    if (this.stockNeedsKeys) this.secret?.grantReadAs(fn, variables.providerSecretId);
  }

  /** Where a script finds the stock providers' keys, as the functions are configured; nothing where all are keyless. */
  get stockVariables(): Readonly<Record<string, string>> {
    return this.stockNeedsKeys && this.secret ? { [variables.providerSecretId]: this.secret.secretArn } : {};
  }

  /** To read the generator's key; nothing where it needs none. */
  grantReadForGenerator(fn: NodeFunction): void {
    if (this.generatorNeedsKey) this.secret?.grantReadAs(fn, variables.providerSecretId);
  }
}
