// snapshots.mjs save|load FOLDER: saves a snapshot of each Qdrant collection to a folder, or restores the collections from it.
// backup.sh and restore.sh run it in a container of the query service, which has the address and the key of Qdrant.
import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const [command, folder] = process.argv.slice(2);
const headers = { 'api-key': readFileSync(process.env.QDRANT_API_KEY_FILE, 'utf8').trim() };
const EXTENSION = '.snapshot';
const BOUNDARY = 'quarry-snapshot-of-a-collection';

if (command === 'save') await saveSnapshots();
else if (command === 'load') await loadSnapshots();
else throw new Error(`expected save or load, found ${command}`);

async function saveSnapshots() {
  const { collections } = await requestQdrantResult('/collections');
  for (const { name } of collections) {
    const path = `/collections/${name}/snapshots`;
    const snapshot = await requestQdrantResult(path, { method: 'POST' });
    const file = `${path}/${snapshot.name}`;
    try {
      await pipeline(await sendQdrantRequest(file), createWriteStream(join(folder, name + EXTENSION)));
    } finally {
      await requestQdrantResult(file, { method: 'DELETE' });
    }
    console.log(`saved ${name}, ${snapshot.size} bytes`);
  }
}

async function loadSnapshots() {
  for (const file of readdirSync(folder).filter((each) => each.endsWith(EXTENSION))) {
    const name = file.slice(0, -EXTENSION.length);
    const path = `/collections/${name}/snapshots/upload?priority=snapshot&wait=true`;
    await requestQdrantResult(path, { method: 'POST', form: join(folder, file) });
    console.log(`restored ${name}`);
  }
}

async function requestQdrantResult(path, options) {
  return JSON.parse(await text(await sendQdrantRequest(path, options))).result;
}

/**
 * Sends a request, with the file `form` as a form if it is set, and returns the response as a stream. Sets no time
 * limit: Qdrant responds after it has created or restored the whole snapshot, and `fetch` would give up after 300 s.
 */
async function sendQdrantRequest(path, { method = 'GET', form } = {}) {
  const url = new URL(path, process.env.QDRANT_URL);
  const body = form === undefined ? undefined : buildForm(form);
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers: { ...headers, ...body?.headers },
  });
  // If the content cannot be read or sent, the request emits the error, and `once` rejects.
  if (body === undefined) request.end();
  else pipeline(body.content, request).catch(() => undefined);
  const [response] = await once(request, 'response');
  if (response.statusCode >= 300)
    throw new Error(
      `expected a successful response of Qdrant to ${path}, found ${response.statusCode}: ${await text(response)}`,
    );
  return response;
}

/** Builds a form that contains a file as the field `snapshot`. Reads the file while the form is sent. */
function buildForm(file) {
  const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="snapshot"; filename="snapshot"\r\n\r\n`;
  const end = `\r\n--${BOUNDARY}--\r\n`;
  async function* generateContent() {
    yield start;
    yield* createReadStream(file);
    yield end;
  }
  return {
    headers: {
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': start.length + statSync(file).size + end.length,
    },
    content: Readable.from(generateContent()),
  };
}
