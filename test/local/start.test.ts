/** The options of `image-redirect start`: the bounds of each, as what is refused before anything starts. */

import { tmpdir } from 'node:os';
import { buildCommand as start, chooseBindings } from '../../local/start';
import { expectRefusal, runTool } from '../cli/run-tool';

const run = (...args: string[]) => runTool(['start', ...args], { cwd: tmpdir() });

test.each([
  [['--port', '65536'], '--port takes a whole number from 0 to 65535'],
  [['--port', '-1'], '--port'],
  [['--memory', '--data', 'x'], 'cannot be used with'],
  [['--anonymous-per-hour', '0'], 'from 1 to'],
  [['--bind', 'stock_a'], '"stock_a"'],
  [['--bind', 'stock_a=nobody'], '"stock_a=nobody"'],
  [['--bind', 'ai=sandbox'], '"ai=sandbox"'],
  [['--memory', '--library', 'no-such-folder'], 'There is no folder '],
  [['--content-credentials', 'on'], 'self, off'],
  [['--image-delivery', 'none'], 'provider, own'],
  [['--ai-label', 'top'], 'off, corner'],
])('start refuses %j in one line', async (args, says) => expectRefusal(await run(...args), 2, says));

/** Refused for its last option alone. */
test.each([
  [['--port', '0']],
  [['--port', '65535']],
  [['--anonymous-per-hour', '1']],
  [['--anonymous-per-hour', 'off']],
  [['--bind', 'stock_a=sandbox, stock_b = pexels,']],
  [['--bind', 'stock_b=unsplash', '--bind', 'stock_b=sandbox']],
])('start uses %j only for the named slots', async (args) => {
  const ended = await run(...args, '--image-delivery', 'own', '--bind', 'stock_c=unsplash');
  expectRefusal(ended, 2, 'stock_c');
  expect(ended.stderr).not.toMatch(/stock_[ab]/);
});

/** Reads options, without a start. */
const optionsOf = (...args: string[]) => {
  const command = start('Run it.');
  command.parseOptions(args);
  return command.opts();
};

test('start without options serves at port 3000, with data in .local', () => {
  expect(optionsOf()).toEqual({
    port: 3_000,
    data: '.local',
    bind: {},
    anonymousPerHour: 2_147_483_647,
    contentCredentials: 'self',
    imageDelivery: 'provider',
    aiLabel: 'off',
  });
});

test('start --library shows its photographs at stock_a, but where that is bound otherwise', () => {
  const sandbox = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' };
  const library = ['--library', 'folder'];
  expect(chooseBindings(optionsOf(...library) as never)).toEqual({ ...sandbox, stock_a: 'library' });
  expect(chooseBindings(optionsOf(...library, '--bind', 'stock_a=pexels') as never)).toEqual({
    ...sandbox,
    stock_a: 'pexels',
  });
  expect(chooseBindings(optionsOf(...library, '--photos') as never)).toMatchObject({
    stock_a: 'library',
    stock_b: 'wikimedia',
  });
});

test('start --photos asks providers without a key, but where a slot is bound otherwise', () => {
  const photos = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'openverse' };
  expect(chooseBindings(optionsOf('--photos') as never)).toEqual(photos);
  expect(chooseBindings(optionsOf('--photos', '--bind', 'stock_c=sandbox') as never)).toEqual({
    ...photos,
    stock_c: 'sandbox',
  });
});
