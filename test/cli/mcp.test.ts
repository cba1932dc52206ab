/** `image-redirect mcp` says what is wrong with its environment as any command does. */

import { tmpdir } from 'node:os';
import { expectRefusal, runTool } from './run-tool';

test.each([{}, { IMAGE_REDIRECT_URL: 'nowhere' }])('with %j it ends with 2', async (env) => {
  expectRefusal(await runTool(['mcp'], { cwd: tmpdir(), env }), 2, 'IMAGE_REDIRECT_URL');
});
