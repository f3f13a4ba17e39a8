// snapshots.mjs save|load FOLDER: writes a snapshot of each of Qdrant's collections into a folder, or brings them back from it.
// Runs inside a container of the query service, which knows where Qdrant is: see backup.sh and restore.sh.
import { createWriteStream, openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [what, folder] = process.argv.slice(2);
const headers = { 'api-key': readFileSync(process.env.QDRANT_API_KEY_FILE, 'utf8').trim() };
const ENDING = '.snapshot';

if (what === 'save') await save();
else if (what === 'load') await load();
else throw new Error(`expected save or load, found ${what}`);

async function save() {
  const { collections } = await result('/collections');
  for (const { name } of collections) {
    const path = `/collections/${name}/snapshots`;
    const snapshot = await result(path, { method: 'POST' });
    const file = `${path}/${snapshot.name}`;
    await pipeline(Readable.fromWeb((await ask(file)).body), createWriteStream(join(folder, name + ENDING)));
    await result(file, { method: 'DELETE' });
    console.log(`saved ${name}, ${snapshot.size} bytes`);
  }
}

async function load() {
  for (const file of readdirSync(folder).filter((each) => each.endsWith(ENDING))) {
    const name = file.slice(0, -ENDING.length);
    const body = new FormData();
    body.set('snapshot', await openAsBlob(join(folder, file)), file);
    await result(`/collections/${name}/snapshots/upload?priority=snapshot&wait=true`, { method: 'POST', body });
    console.log(`brought back ${name}`);
  }
}

async function result(path, init) {
  return (await (await ask(path, init)).json()).result;
}

async function ask(path, init = {}) {
  const response = await fetch(new URL(path, process.env.QDRANT_URL), { ...init, headers });
  if (!response.ok) throw new Error(`Qdrant answered ${response.status} to ${path}: ${await response.text()}`);
  return response;
}
