/** Previews stand in terminals that show them, and nowhere else. */

import { type Loopback, listenOnLoopback } from '../../../../test/fakes/loopback';
import { previews, showsImages } from '../../src/command/report';

let server: Loopback;
beforeAll(async () => {
  server = await listenOnLoopback((request, response) => {
    response.writeHead(request.url === '/image' ? 200 : 404).end('bytes');
  });
});
afterAll(() => server.stop());

it.each([
  [true, 'iTerm.app', true],
  [true, 'WezTerm', true],
  [false, 'iTerm.app', false],
  [true, 'Apple_Terminal', false],
  [true, undefined, false],
])('in a terminal: %s, of the program %s: %s', (isTerminal, program, expected) =>
  expect(showsImages(isTerminal, program)).toBe(expected),
);

it('shows an image and its words in a line, and nothing for one that is drawn or does not load', async () => {
  const shown = await previews([
    { src: `${server.address}/image`, query: 'mountain lake' },
    { src: `${server.address}/gone`, query: 'gone' },
    { src: 'data:image/svg+xml,x', query: 'drawn' },
    { query: 'left' },
  ]);
  const image = Buffer.from('bytes').toString('base64');
  expect(shown).toBe(`\x1b]1337;File=inline=1;height=3:${image}\x07 mountain lake\n`);
});
