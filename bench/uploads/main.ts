import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runWithTemporaryFolder } from '../quarry/start-quarry.js';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { measurePeakMemory } from './measure-peak-memory.js';

const MIB = 1024 * 1024;
/** Size of the uploaded files in bytes: the default maximum of Quarry. */
const FILE_BYTES = 100 * MIB;
const MAX_GROWTH_MIB = 50;
const PARALLEL = 4;

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

interface Row {
  readonly what: string;
  readonly growthMib: number;
  readonly targetMib: number;
}

const rows = await runWithTemporaryFolder(measureUploads);
if (values.json) console.log(JSON.stringify(rows, undefined, 2));
else {
  console.log(`${'uploaded'.padEnd(44)} ${'growth'.padStart(9)} ${'at most'.padStart(9)}`);
  for (const { what, growthMib, targetMib } of rows) {
    console.log(`${what.padEnd(44)} ${`${growthMib.toFixed(1)} MiB`.padStart(9)} ${`${targetMib} MiB`.padStart(9)}`);
  }
}
process.exitCode = rows.every(({ growthMib, targetMib }) => growthMib <= targetMib) ? 0 : 1;

async function measureUploads(folder: string): Promise<readonly Row[]> {
  const gateway = await startGateway(folder);
  try {
    const { id } = await gateway.client.createDatastore({ name: 'uploads' });
    for (let i = 0; i < 20; i += 1) await uploadText(gateway, id, MIB);
    const one = await measureMemoryGrowth(gateway, async () => uploadText(gateway, id, FILE_BYTES));
    const several = await measureMemoryGrowth(gateway, async () =>
      Promise.all(Array.from({ length: PARALLEL }, async () => uploadText(gateway, id, FILE_BYTES))),
    );
    const fileCount = await countFiles(gateway.blobs);
    const broken = await measureMemoryGrowth(gateway, async () => sendAbortedUpload(gateway, id));
    await waitForFileCount(gateway.blobs, fileCount);
    return [
      { what: 'a file of 100 MiB', growthMib: one, targetMib: MAX_GROWTH_MIB },
      { what: `${PARALLEL} such files in parallel`, growthMib: several, targetMib: MAX_GROWTH_MIB * PARALLEL },
      { what: 'half of one, then aborted (no file left)', growthMib: broken, targetMib: MAX_GROWTH_MIB },
    ];
  } finally {
    await gateway.stop();
  }
}

/** Returns the peak of the resident memory during `work`, minus the resident memory before, in MiB. */
async function measureMemoryGrowth({ pid }: GatewayUnderTest, work: () => Promise<unknown>): Promise<number> {
  const { before, peak } = await measurePeakMemory(pid, work);
  return peak - before;
}

async function uploadText({ client }: GatewayUnderTest, datastoreId: string, bytes: number): Promise<void> {
  await client.uploadFile(datastoreId, {
    content: generateTextStream(bytes),
    name: `${randomUUID()}.txt`,
    type: 'text/plain',
  });
}

async function sendAbortedUpload({ client }: GatewayUnderTest, datastoreId: string): Promise<void> {
  const content = generateTextStream(FILE_BYTES, FILE_BYTES / 2);
  const refused = client.uploadFile(datastoreId, { content, name: 'broken.txt', type: 'text/plain' });
  await refused.then(
    () => Promise.reject(new Error('expected the aborted upload to be refused, found that it was accepted')),
    () => undefined,
  );
}

/** Generates a stream of `bytes` bytes of text. @param failAfter number of bytes after which the stream fails */
function generateTextStream(bytes: number, failAfter = Infinity): ReadableStream<Uint8Array> {
  const chunk = new TextEncoder().encode('a line of a long generated text\n'.repeat(2_185)).slice(0, 64 * 1024);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= failAfter) controller.error(new Error('aborted'));
      else if (sent >= bytes) controller.close();
      else controller.enqueue(chunk.slice(0, bytes - sent));
      sent += chunk.length;
    },
  });
}

/**
 * Waits until the folder has the expected number of files, because the gateway detects a closed connection later than
 * the client.
 *
 * @throws Error if the number still differs after a timeout
 */
async function waitForFileCount(folder: string, expected: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  let found = await countFiles(folder);
  while (found !== expected) {
    if (Date.now() > deadline) throw new Error(`expected ${expected} files in the folder ${folder}, found ${found}`);
    await wait(50);
    found = await countFiles(folder);
  }
}

async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
