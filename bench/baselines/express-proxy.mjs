// A proxy that forwards chat completions to a provider without changes: Express is its server, undici its client. node
// express-proxy.mjs <base URL of the provider> It sends its port to the parent process.
import { pipeline } from 'node:stream/promises';
import express from 'express';
import { Pool } from 'undici';

const provider = new URL(process.argv[2]);
const pool = new Pool(provider.origin);

const app = express();
app.use(express.json());
app.post('/v1/chat/completions', async (request, response) => {
  const { statusCode, headers, body } = await pool.request({
    path: `${provider.pathname}/chat/completions`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  response.writeHead(statusCode, { 'Content-Type': headers['content-type'] });
  await pipeline(body, response);
});
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.once('disconnect', () => process.exit());
