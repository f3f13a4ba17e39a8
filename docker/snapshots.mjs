// snapshots.mjs save|load FOLDER: saves a snapshot of each Qdrant collection to a folder, or restores the collections from it.
// backup.sh and restore.sh run it in a container of the query service, which has the address and the key of Qdrant.
import { createWriteStream, openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [command, folder] = process.argv.slice(2);
const headers = { 'api-key': readFileSync(process.env.QDRANT_API_KEY_FILE, 'utf8').trim() };
const EXTENSION = '.snapshot';

if (command === 'save') await saveSnapshots();
else if (command === 'load') await loadSnapshots();
else throw new Error(`expected save or load, found ${command}`);

async function saveSnapshots() {
  const { collections } = await requestQdrantResult('/collections');
  for (const { name } of collections) {
    const path = `/collections/${name}/snapshots`;
    const snapshot = await requestQdrantResult(path, { method: 'POST' });
    const file = `${path}/${snapshot.name}`;
    await pipeline(
      Readable.fromWeb((await sendQdrantRequest(file)).body),
      createWriteStream(join(folder, name + EXTENSION)),
    );
    await requestQdrantResult(file, { method: 'DELETE' });
    console.log(`saved ${name}, ${snapshot.size} bytes`);
  }
}

async function loadSnapshots() {
  for (const file of readdirSync(folder).filter((each) => each.endsWith(EXTENSION))) {
    const name = file.slice(0, -EXTENSION.length);
    const body = new FormData();
    body.set('snapshot', await openAsBlob(join(folder, file)), file);
    await requestQdrantResult(`/collections/${name}/snapshots/upload?priority=snapshot&wait=true`, {
      method: 'POST',
      body,
    });
    console.log(`restored ${name}`);
  }
}

async function requestQdrantResult(path, init) {
  return (await (await sendQdrantRequest(path, init)).json()).result;
}

async function sendQdrantRequest(path, init = {}) {
  const response = await fetch(new URL(path, process.env.QDRANT_URL), { ...init, headers });
  if (!response.ok)
    throw new Error(
      `expected a successful response of Qdrant to ${path}, found ${response.status}: ${await response.text()}`,
    );
  return response;
}
