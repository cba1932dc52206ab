/** Tests that workflows pin their actions, and that the nightly deployment waits for its variable. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { makeStageSchema } from '../lib/stage-settings';

const folder = join(__dirname, '..', '.github', 'workflows');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

test.each(readdirSync(folder))('%s pins each action to a commit', (name) => {
  const actions = [...read(name).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  for (const action of actions) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
});

test('the nightly deployment destroys its stack', () => {
  const { deploy } = parse(read('nightly.yml')).jobs;
  expect(deploy.if).toBe("vars.NIGHTLY_ROLE_ARN != ''");
  const commands = [
    ...JSON.stringify(deploy.steps).matchAll(/cdk (?:deploy|destroy) .*? -c stage=dev(.*?) --/g),
  ];
  expect(commands).toHaveLength(2);
  for (const [, settings = ''] of commands)
    for (const [, name = '', text = ''] of settings.replaceAll('\\"', '"').matchAll(/ -c '?(\w+)=([^ ']+)/g))
      makeStageSchema('dev').parse({ [name]: text.startsWith('{') ? JSON.parse(text) : text });
  expect(deploy.steps.at(-1)).toMatchObject({ if: 'always()', run: expect.stringContaining('cdk destroy') });
});
