// The minimal cost of a redirect: a server that returns the same redirect to every request.
import { createServer } from 'node:http';

const server = createServer((_, response) => {
  response.writeHead(302, { Location: 'https://images.example.org/a.jpeg', 'Content-Length': 0 }).end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
