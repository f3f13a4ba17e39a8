import { Worker } from 'node:worker_threads';
import { ReadingFailed, type ReadingProgress } from '../readers/reader.js';
import type { Fragment } from '../splitting/fragment.js';
import { fragmentsOfFile } from './fragments-of-file.js';
import { memoryWatch } from './memory-watch.js';
import type { ReadAnswer, ReadRequest } from './reader-messages.js';

/*
 * The program of a reading process: a hostile document is read here, away from the service, its memory and its secrets.
 * It is asked over its channel, one document after the other, and is killed when a document goes beyond its limits.
 */

const CHUNK_CHARACTERS = 200_000;
const PROGRESS_EVERY_MS = 200;

const memoryLimitMb = Number(process.argv[2]);
new Worker(memoryWatch(memoryLimitMb), { eval: true }).unref();

process.on('message', (request: ReadRequest) => void answer(request));
process.on('disconnect', () => process.exit());
// Those go to the whole group where somebody ends the service by its terminal: it still needs what it asked for.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

async function answer(request: ReadRequest): Promise<void> {
  try {
    let chunk: Fragment[] = [];
    let characters = 0;
    for await (const fragment of fragmentsOfFile(request, throttled())) {
      chunk.push(fragment);
      characters += fragment.text.length;
      if (characters < CHUNK_CHARACTERS) continue;
      await send({ type: 'fragments', fragments: chunk });
      chunk = [];
      characters = 0;
    }
    await send({ type: 'fragments', fragments: chunk });
    await send({ type: 'finished', ...usage() });
  } catch (error) {
    await send(failure(error));
  }
}

function failure(error: unknown): ReadAnswer {
  if (error instanceof ReadingFailed) return { type: 'failed', code: error.code, message: error.message, ...usage() };
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'failed', code: 'file_unreadable', message: `The file cannot be read: ${message}`, ...usage() };
}

function usage() {
  return { peakMemoryMb: process.resourceUsage().maxRSS / 1_024, memoryMb: process.memoryUsage.rss() / 1_048_576 };
}

/** Waiting until a message is on its way keeps what waits in memory small. */
function send(message: ReadAnswer): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => {
      resolve();
    });
  });
}

function throttled(): (progress: ReadingProgress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS && progress.done !== progress.total) return;
    last = now;
    void send({ type: 'progress', progress });
  };
}
