/** The walk of a year switches every setting that a stage has, both ways. */

import { isDeepStrictEqual } from 'node:util';
import { type Stage, stageOf } from '../../../lib/stage';
import { stageSettings as schema } from '../../../lib/stage-settings';
import { never, rotated, stageSettings, walkOf } from '../../../tools/deploy-test/stage-settings';

const world = {
  fakeProviders: { unsplash: 'http://127.0.0.1:1' },
  modelUrl: 'http://127.0.0.1:2',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
  hostedZone: { id: 'Z1', name: 'images.test' },
};
const { switched, later, locked, ending } = walkOf(world);
/** In the order in which they are deployed. */
const stages = [{}, switched, rotated, later, locked, ending].map((changes) =>
  stageOf('prod', { ...stageSettings(world), ...changes }),
);

test.each(Object.keys(schema.shape).filter((name) => !(name in never)) as (keyof Stage)[])(
  '%s is switched both ways',
  (name) => {
    const values = stages.map((stage) => stage[name]);
    const changes = values.slice(1).filter((value, i) => !isDeepStrictEqual(value, values[i]));
    // A lock is rotated, and no stage goes back to a key of before.
    expect(changes.length).toBeGreaterThanOrEqual(name === 'originLock' ? 1 : 2);
  },
);

test('what is never switched says why', () => {
  for (const reason of Object.values(never)) expect(reason).toMatch(/^it /);
});
