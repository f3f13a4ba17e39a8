import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReadingProgress } from '../readers/reader.js';
import { layOutInColumn, makePdf, createStreamObject } from '../testing/make-pdf.js';
import { openDocumentReader, type DocumentReader, type ReadingSettings } from './document-reader.js';
import type { ReadRequest } from './reader-messages.js';
import { ReaderProcessHandle, ReaderProcessExited } from './reader-process-handle.js';

const SETTINGS: ReadingSettings = {
  processes: 1,
  documentsPerProcess: 50,
  idleMs: 60_000,
  timeoutMs: 60_000,
  memoryMb: 600,
  maxCharacters: 1_000_000,
};

let directory: string;
let readers: DocumentReader[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quarry-reading-'));
});
afterAll(() => rm(directory, { recursive: true }));
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
});

function openReader(
  settings: Partial<ReadingSettings> = {},
  onStart: (pid: number) => void = () => undefined,
): DocumentReader {
  const reader = openDocumentReader({ ...SETTINGS, ...settings }, (memoryMb) => {
    const started = new ReaderProcessHandle(memoryMb);
    onStart(started.pid ?? 0);
    return started;
  });
  readers = [...readers, reader];
  return reader;
}

/**
 * Creates a callback that kills the first `count` started processes, as the kernel does if memory is low, and a list of
 * the ids of all started processes.
 */
function createKillerOfFirstProcesses(count: number): {
  readonly onStart: (pid: number) => void;
  readonly started: number[];
} {
  const started: number[] = [];
  return {
    started,
    onStart: (pid) => {
      started.push(pid);
      if (started.length <= count) setImmediate(() => process.kill(pid, 'SIGKILL'));
    },
  };
}

function listAliveProcesses(pids: readonly number[]): readonly number[] {
  return pids.filter((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  });
}

async function createRequest(bytes: string | Uint8Array, mimeType = 'text/plain', name = 'a name') {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, bytes);
  const read: Omit<ReadRequest, 'maxCharacters'> = {
    path,
    file: { mimeType, name, nameIsFileName: false },
    splitting: { maxTokens: 512, overlapTokens: 64 },
  };
  return read;
}

/** Creates a PDF with a page that pdfium processes for several seconds: millions of operators that draw nothing. */
function createSlowPdf(operators = 20_000_000): Buffer {
  const content = deflateSync(Buffer.alloc(operators * 'q Q '.length, 'q Q '));
  return makePdf([[]], { content: createStreamObject(content.toString('latin1'), '/Filter /FlateDecode') });
}

/** Creates a PDF of a few kilobytes whose page unpacks to one gigabyte. */
function createPdfBomb(): Buffer {
  const inner = deflateSync(deflateSync(Buffer.alloc(1_000_000_000, ' '), { level: 9 }), { level: 9 });
  return makePdf([[]], {
    content: createStreamObject(inner.toString('latin1'), '/Filter [/FlateDecode /FlateDecode]'),
  });
}

describe('openDocumentReader', { timeout: 120_000 }, () => {
  it('the reader returns the fragments of a document with the document name as context, and reports progress', async () => {
    const progress: ReadingProgress[] = [];
    const pdf = await createRequest(
      makePdf([layOutInColumn(['One.']), layOutInColumn(['Two.'])]),
      'application/pdf',
      'two pages',
    );
    const fragments = await openReader().read(pdf, { onProgress: (step) => progress.push(step) });
    expect(fragments).toMatchObject([{ text: 'One.\n\nTwo.', context: 'two pages', page: 1 }]);
    expect(progress.at(-1)).toEqual({ done: 2, total: 2, unit: 'pages' });
  });

  it('the reader returns the fragments of a long text in order', async () => {
    const paragraphs = Array.from({ length: 20_000 }, (_, index) => `Paragraph ${index}.`);
    const fragments = await openReader().read({
      ...(await createRequest(paragraphs.join('\n\n'))),
      splitting: { maxTokens: 64, overlapTokens: 0 },
    });
    expect(fragments.length).toBeGreaterThan(1_000);
    expect(fragments.flatMap((fragment) => fragment.text.split('\n\n'))).toEqual(paragraphs);
  });

  it('the reader returns no fragments for a document without text', async () => {
    await expect(openReader().read(await createRequest(' \n '))).resolves.toEqual([]);
  });

  it('the reader rejects an unreadable document with an error that states the reason, and then reads another document', async () => {
    const reader = openReader();
    await expect(reader.read(await createRequest('no PDF', 'application/pdf'))).rejects.toMatchObject({
      name: 'ReadingFailed',
      code: 'file_type_mismatch',
    });
    await expect(reader.read(await createRequest('next'))).resolves.toHaveLength(1);
  });

  it('the reader rejects a document that exceeds the time limit, and then reads another document', async () => {
    const reader = openReader({ timeoutMs: 5_000, memoryMb: 2_000 });
    const slow = createSlowPdf(100_000_000);
    await expect(reader.read(await createRequest(slow, 'application/pdf'))).rejects.toMatchObject({
      code: 'reading_timed_out',
      message: 'Reading the file took longer than 5 seconds.',
    });
    await expect(openReader().read(await createRequest('next'))).resolves.toHaveLength(1);
    await expect(reader.read(await createRequest('next'))).resolves.toHaveLength(1);
  });

  it('the reader rejects a document that needs too much memory outside the heap, and then reads another document', async () => {
    const reader = openReader();
    await expect(reader.read(await createRequest(createPdfBomb(), 'application/pdf'))).rejects.toMatchObject({
      code: 'reading_out_of_memory',
      message: 'Reading the file exceeded the memory limit of 600 MB.',
    });
    await expect(reader.read(await createRequest('next'))).resolves.toHaveLength(1);
  });

  it('the reader rejects a document that needs too much heap memory, and then reads another document', async () => {
    const reader = openReader({ memoryMb: 150 });
    const nested = Array.from({ length: 300_000 }, (_, index) => `- *item* **${index}** [link](x) \`code\``).join('\n');
    await expect(reader.read(await createRequest(nested, 'text/markdown'))).rejects.toMatchObject({
      code: 'reading_out_of_memory',
    });
    await expect(reader.read(await createRequest('next'))).resolves.toHaveLength(1);
  });

  it('the reader rejects a document with more characters than the maximum', async () => {
    await expect(
      openReader({ maxCharacters: 1_000 }).read(await createRequest('word '.repeat(500))),
    ).rejects.toMatchObject({
      code: 'text_too_large',
    });
  });

  it('if the signal aborts while a document is being read or waits to be read, the reader rejects the document with the reason of the signal', async () => {
    const reader = openReader();
    const reading = new AbortController();
    const waiting = new AbortController();
    const first = reader.read(await createRequest(createSlowPdf(), 'application/pdf'), { signal: reading.signal });
    const second = reader.read(await createRequest('second'), { signal: waiting.signal });
    waiting.abort(new Error('second left'));
    await expect(second).rejects.toThrow('second left');
    reading.abort(new Error('first left'));
    await expect(first).rejects.toThrow('first left');
    await expect(reader.read(await createRequest('third'))).resolves.toHaveLength(1);
  });

  it('if the reader process is killed, the reader reads the document again in a new process', async () => {
    const { onStart, started } = createKillerOfFirstProcesses(1);
    const reasons: string[] = [];
    const reading = openReader({}, onStart).read(await createRequest('One.'), {
      onRetry: (reason) => reasons.push(reason.message),
    });
    await expect(reading).resolves.toMatchObject([{ text: 'One.' }]);
    expect(started).toHaveLength(2);
    expect(reasons).toEqual(['the reader process exited: SIGKILL']);
  });

  it('if all reader processes are killed at once, the reader still reads every document', async () => {
    const { onStart, started } = createKillerOfFirstProcesses(4);
    const reader = openReader({ processes: 4 }, onStart);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const results = await Promise.all(names.map(async (name) => reader.read(await createRequest(`text of ${name}`))));
    expect(results.map(([fragment]) => fragment?.text)).toEqual(names.map((name) => `text of ${name}`));
    expect(started.length).toBeGreaterThanOrEqual(8);
  });

  it('if every process that reads a document is killed, the reader rejects the document with ReaderProcessExited', async () => {
    const { onStart } = createKillerOfFirstProcesses(Infinity);
    await expect(openReader({}, onStart).read(await createRequest('One.'))).rejects.toMatchObject({
      name: 'ReaderProcessExited',
      signal: 'SIGKILL',
    });
  });

  it('if two new processes exceed the memory limit while reading a document, the reader rejects the document with `reading_out_of_memory`', async () => {
    const { onStart, started } = createKillerOfFirstProcesses(0);
    const reader = openReader({}, onStart);
    await reader.read(await createRequest('read before'));
    await expect(reader.read(await createRequest(createPdfBomb(), 'application/pdf'))).rejects.toMatchObject({
      code: 'reading_out_of_memory',
    });
    expect(started).toHaveLength(3);
  });

  it('if a signal kills the reader process, the process handle rejects the document with an error that names the signal', async () => {
    const process = new ReaderProcessHandle(SETTINGS.memoryMb);
    const slow = { ...(await createRequest(createSlowPdf(), 'application/pdf')), maxCharacters: 1_000 };
    const reading = process.readDocument(slow, SETTINGS.timeoutMs);
    const died = expect(reading).rejects.toThrow(new ReaderProcessExited({ signal: 'SIGSEGV', code: null }, ''));
    globalThis.process.kill(process.pid ?? 0, 'SIGSEGV');
    await died;
    expect(process.isAlive).toBe(false);
    await expect(process.readDocument(slow, SETTINGS.timeoutMs)).rejects.toThrow(ReaderProcessExited);
  });

  it('a reader process ignores SIGINT and SIGTERM, which a terminal sends to the whole process group', async () => {
    const process = new ReaderProcessHandle(SETTINGS.memoryMb);
    const short = { ...(await createRequest('One.')), maxCharacters: 1_000 };
    await process.readDocument(short, SETTINGS.timeoutMs);
    for (const signal of ['SIGINT', 'SIGTERM']) globalThis.process.kill(process.pid ?? 0, signal);
    await expect(process.readDocument(short, SETTINGS.timeoutMs)).resolves.toHaveLength(1);
    process.killProcess();
  });

  it('the reader reads several documents concurrently, and each call returns the fragments of the document that it requested', async () => {
    const reader = openReader({ processes: 2 });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const results = await Promise.all(names.map(async (name) => reader.read(await createRequest(`text of ${name}`))));
    expect(results.map(([fragment]) => fragment?.text)).toEqual(names.map((name) => `text of ${name}`));
  });

  it('the reader reads further documents after a process has reached its maximum number of documents', async () => {
    const reader = openReader({ documentsPerProcess: 2 });
    for (const text of ['1', '2', '3', '4', '5']) {
      await expect(reader.read(await createRequest(text))).resolves.toMatchObject([{ text }]);
    }
  });

  it('the reader ends a process that is idle longer than `idleMs`, and reads the next document in a new process', async () => {
    const started: number[] = [];
    const reader = openReader({ idleMs: 50 }, (pid) => void started.push(pid));
    await reader.read(await createRequest('One.'));
    await expect.poll(() => listAliveProcesses(started), { timeout: 10_000 }).toEqual([]);
    await expect(reader.read(await createRequest('Two.'))).resolves.toMatchObject([{ text: 'Two.' }]);
    expect(started).toHaveLength(2);
  });

  it('the reader does not end a process that reads one document for longer than `idleMs`', async () => {
    const started: number[] = [];
    const reader = openReader({ idleMs: 50 }, (pid) => void started.push(pid));
    const [first, long] = [await createRequest('One.'), await createRequest('Paragraph.\n\n'.repeat(50_000))];
    await reader.read(first);
    await expect(reader.read(long)).resolves.not.toHaveLength(0);
    expect(started).toHaveLength(1);
  });

  it('`close()` of the reader rejects the documents that are being read', async () => {
    const reader = openReader();
    const reading = reader.read(await createRequest(createSlowPdf(), 'application/pdf'));
    const failed = expect(reading).rejects.toThrow('closed');
    await reader.close();
    await failed;
  });
});
