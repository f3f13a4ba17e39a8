import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createStreamObject, makePdf, layOutInColumn } from '../testing/make-pdf.js';
import { createScanOfPages } from '../testing/create-scan.js';
import { openDocumentReader, type DocumentReader, type DocumentRequest } from './document-reader.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quarry-rendering-'));
});
afterAll(() => rm(directory, { recursive: true }));

function openReader(timeoutMs = 60_000): DocumentReader {
  const limits = { documentsPerProcess: 50, idleMs: 60_000, memoryMb: 1_000, maxCharacters: 1_000_000 };
  const reader = openDocumentReader({ processes: 1, timeoutMs, ...limits });
  onTestFinished(() => reader.close());
  return reader;
}

async function createPdfRequest(bytes: Uint8Array): Promise<DocumentRequest> {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, bytes);
  const file = { mimeType: 'application/pdf', name: 'Scan', nameIsFileName: false };
  return { path, file, splitting: { maxTokens: 512, overlapTokens: 64 } };
}

/** Creates a PDF with a page that pdfium processes for several seconds: 20 million operators that draw nothing. */
function createSlowPdf(): Buffer {
  return makePdf([[]], { content: createStreamObject('q Q '.repeat(20_000_000)) });
}

describe('a document reader that renders pages for recognition', { timeout: 60_000 }, () => {
  it('the reader renders a page of a scan for OCR, and then reads the scan with the words that OCR recognized', async () => {
    const reader = openReader();
    const scan = await createPdfRequest(await createScanOfPages(makePdf([layOutInColumn(['One.'])])));
    const { pixels, ...image } = await reader.renderPage(scan, 1);
    expect(image).toEqual({ width: 1_700, height: 2_200, dpi: 200 });
    expect(pixels).toHaveLength(1_700 * 2_200);
    const word = { text: 'One.', confidence: 90, left: 200, top: 200, width: 60, height: 28, line: 1 };
    const recognizedPages = [{ page: 1, image, words: [word] }];
    await expect(reader.read({ ...scan, recognizedPages })).resolves.toMatchObject([{ text: 'One.', page: 1 }]);
  });

  it('the reader stops rendering a page for OCR at the time limit', async () => {
    const slow = await createPdfRequest(createSlowPdf());
    await expect(openReader(1_500).renderPage(slow, 1)).rejects.toMatchObject({ code: 'reading_timed_out' });
  });

  it('if the requested page does not exist, the reader rejects the rendering, and then renders another page', async () => {
    const reader = openReader();
    const pdf = await createPdfRequest(makePdf([[]]));
    await expect(reader.renderPage(pdf, 2)).rejects.toMatchObject({ code: 'file_unreadable' });
    await expect(reader.renderPage(pdf, 1)).resolves.toMatchObject({ dpi: 200 });
  });

  it('if the signal aborts, the reader rejects the rendering of a page with the reason of the signal', async () => {
    const slow = await createPdfRequest(createSlowPdf());
    const cancellation = new AbortController();
    const rendered = openReader().renderPage(slow, 1, { signal: cancellation.signal });
    cancellation.abort(new Error('the run was cancelled'));
    await expect(rendered).rejects.toThrow('the run was cancelled');
  });
});
