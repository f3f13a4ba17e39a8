import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { ReadingFailed, type PageReport, type ReadingProgress } from '../readers/reader.js';
import type { Fragment } from '../splitting/fragment.js';
import { readFragments } from './read-fragments.js';
import { buildMemoryWatchScript } from './memory-watch.js';
import type { ReadAnswer, ReaderRequest, ReadRequest, RenderPictureRequest } from './reader-messages.js';

/*
 * Entry of the reader process, which isolates the service from hostile documents: from their memory use, crashes and
 * exploits. It receives one document at a time over IPC, and is killed when a document exceeds a limit.
 */

const CHUNK_CHARACTERS = 200_000;
const PROGRESS_INTERVAL_MS = 200;

const memoryLimitMb = Number(process.argv[2]);
new Worker(buildMemoryWatchScript(memoryLimitMb), { eval: true }).unref();

process.on('message', (request: ReaderRequest) => void respondToRequest(request));
process.on('disconnect', () => process.exit());
// Ignores the signals that a terminal sends to the whole process group. The service still needs the result, and ends
// this process itself.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

async function respondToRequest(request: ReaderRequest): Promise<void> {
  try {
    const pages = await runAndSendResults(request);
    await sendMessage({ type: 'finished', ...(pages && { pages }), ...measureMemory() });
  } catch (error) {
    await sendMessage(createFailedAnswer(error));
  }
}

async function runAndSendResults(request: ReaderRequest): Promise<PageReport | undefined> {
  if ('picture' in request) return renderAndSendPictureForDisplay(request);
  return request.renderedPage === undefined ? readAndSendFragments(request) : renderAndSendImageForOcr(request);
}

async function renderAndSendPictureForDisplay({ path, picture }: RenderPictureRequest): Promise<undefined> {
  const { renderPdfPicture } = await import('../readers/pdf/pdf.js');
  await sendMessage({ type: 'picture', rendered: await renderPdfPicture(await readFile(path), picture) });
}

async function renderAndSendImageForOcr({ path, renderedPage = 1 }: ReadRequest): Promise<undefined> {
  const { renderPdfPage } = await import('../readers/pdf/pdf.js');
  await sendMessage({ type: 'image', image: await renderPdfPage(await readFile(path), renderedPage) });
}

async function readAndSendFragments(request: ReadRequest): Promise<PageReport | undefined> {
  let chunk: Fragment[] = [];
  let characters = 0;
  let pages: PageReport | undefined;
  const onPages = (report: PageReport): void => void (pages = report);
  for await (const fragment of readFragments(request, { onProgress: createThrottledProgressSender(), onPages })) {
    chunk.push(fragment);
    characters += fragment.text.length;
    if (characters < CHUNK_CHARACTERS) continue;
    await sendMessage({ type: 'fragments', fragments: chunk });
    chunk = [];
    characters = 0;
  }
  await sendMessage({ type: 'fragments', fragments: chunk });
  return pages;
}

function createFailedAnswer(error: unknown): ReadAnswer {
  if (error instanceof ReadingFailed)
    return { type: 'failed', code: error.code, message: error.message, ...measureMemory() };
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: 'failed',
    code: 'file_unreadable',
    message: `The file cannot be read: ${message}`,
    ...measureMemory(),
  };
}

function measureMemory() {
  return { peakMemoryMb: process.resourceUsage().maxRSS / 1_024, memoryMb: process.memoryUsage.rss() / 1_048_576 };
}

/**
 * Sends a message to the parent process, and waits until the message is written. The wait limits the number of unsent
 * messages in memory.
 */
function sendMessage(message: ReadAnswer): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => {
      resolve();
    });
  });
}

function createThrottledProgressSender(): (progress: ReadingProgress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS && progress.done !== progress.total) return;
    last = now;
    void sendMessage({ type: 'progress', progress });
  };
}
