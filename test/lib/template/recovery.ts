/** The recovery manual names everything that a destroyed stack keeps, so that nothing is left out of the next one. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesOf, synthesise } from '../synthesise';

const manual = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'recovery.md'), 'utf8');

/** Said once for all: they hold no data of the service. */
const saidTogether = new Set(['AWS::Logs::LogGroup', 'AWS::ApiGateway::Account', 'AWS::IAM::Role']);

test('each table, bucket and secret that a stage keeps is named, whatever it is set to', () => {
  const template = synthesise('prod', {
    edge: true,
    slotBindings: { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'unsplash' },
  });
  const kept = Object.entries(resourcesOf(template))
    .filter(([, { Type, DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain') && !saidTogether.has(Type))
    .map(([id]) => id);
  expect(kept).toEqual(
    expect.arrayContaining(['SignerSecret', 'OriginLock', 'ProviderSecret', 'ImageBucket']),
  );
  expect(kept.filter((id) => !manual.includes(`\`${id}\``) && !manual.includes(`"${id}"`))).toEqual([]);
});
