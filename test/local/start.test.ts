/** Tests the options of `image-redirect start`. Wrong ones are refused before anything starts. */

import { tmpdir } from 'node:os';
import { chooseBindings, buildCommand as start } from '../../local/start';
import { expectRefusal, runTool } from '../cli/run-tool';

const run = (...args: string[]) => runTool(['start', ...args], { cwd: tmpdir() });

test.each([
  ['--port 65536', '--port takes a whole number from 0 to 65535'],
  ['--port -1', '--port'],
  ['--memory --data x', 'cannot be used with'],
  ['--anonymous-per-hour 0', 'from 1 to'],
  ['--bind stock_a', '"stock_a"'],
  ['--bind stock_a=nobody', '"stock_a=nobody"'],
  ['--bind ai=sandbox', '"ai=sandbox"'],
  ['--memory --library no-such-folder', 'There is no folder '],
  ['--content-credentials on', 'self, off'],
  ['--image-delivery none', 'provider, own'],
  ['--ai-label top', 'off, corner'],
])('start refuses %s in one line', async (args, says) =>
  expectRefusal(await run(...args.split(' ')), 2, says),
);

const parseOptions = (...args: string[]) => {
  const command = start('Run it.');
  command.parseOptions(args);
  return command.opts();
};

test.each<[string, object]>([
  ['--bind=stock_a=sandbox, stock_b = pexels,', { bind: { stock_a: 'sandbox', stock_b: 'pexels' } }],
  ['--port=0', { port: 0 }],
  ['--port=65535', { port: 65_535 }],
  ['--anonymous-per-hour=1', { anonymousPerHour: 1 }],
  ['--anonymous-per-hour=off', { anonymousPerHour: 2_147_483_647 }],
  ['--bind=stock_a=pexels --bind=stock_b=sandbox', { bind: { stock_a: 'pexels', stock_b: 'sandbox' } }],
])('start accepts %s', (args, options) => {
  expect(parseOptions(...args.split(/ (?=--)/))).toMatchObject(options);
});

test('start without options uses port 3000 and the folder .local', () => {
  expect(parseOptions()).toEqual({
    port: 3_000,
    data: '.local',
    bind: {},
    anonymousPerHour: 2_147_483_647,
    contentCredentials: 'self',
    imageDelivery: 'provider',
    aiLabel: 'off',
  });
});

test('start --library binds stock_a unless --bind says otherwise', () => {
  const sandbox = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' };
  const library = ['--library', 'folder'];
  expect(chooseBindings(parseOptions(...library) as never)).toEqual({ ...sandbox, stock_a: 'library' });
  expect(chooseBindings(parseOptions(...library, '--bind', 'stock_a=pexels') as never)).toEqual({
    ...sandbox,
    stock_a: 'pexels',
  });
  expect(chooseBindings(parseOptions(...library, '--photos') as never)).toMatchObject({
    stock_a: 'library',
    stock_b: 'wikimedia',
  });
});

test('start --photos binds providers without a key unless --bind says otherwise', () => {
  const photos = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'openverse' };
  expect(chooseBindings(parseOptions('--photos') as never)).toEqual(photos);
  expect(chooseBindings(parseOptions('--photos', '--bind', 'stock_c=sandbox') as never)).toEqual({
    ...photos,
    stock_c: 'sandbox',
  });
});
