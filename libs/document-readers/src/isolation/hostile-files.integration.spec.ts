import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSheetWithFormattedColumn,
  createSheetWithDistantCells,
  createLongJsonLine,
  createPdfWithPageCycle,
  createDocxWithNestedEntities,
  createSlideWithExternalParts,
  createZipBomb,
} from '../testing/hostile-files.js';
import { makeDocx, makeXlsx, createParagraph } from '../testing/make-office.js';
import { makePdf } from '../testing/make-pdf.js';
import { openDocumentReader, type DocumentReader } from './document-reader.js';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

let directory: string;
let reader: DocumentReader;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quarry-hostile-'));
  reader = openDocumentReader({
    processes: 1,
    documentsPerProcess: 100,
    idleMs: 60_000,
    timeoutMs: 60_000,
    memoryMb: 700,
    maxCharacters: 3_000_000,
  });
});
afterAll(async () => {
  await reader.close();
  await rm(directory, { recursive: true });
});

async function readBytes(bytes: string | Uint8Array, mimeType: string, name = 'document'): Promise<string> {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, bytes);
  const file = { mimeType, name, nameIsFileName: name.includes('.') };
  const fragments = await reader.read({ path, file, splitting: { maxTokens: 512, overlapTokens: 64 } });
  return fragments.map((fragment) => fragment.text).join('\n');
}

describe('openDocumentReader with a hostile file', { timeout: 240_000 }, () => {
  it.each<[string, () => string | Uint8Array, string, string, string?]>([
    ['a zip bomb', () => createZipBomb(), DOCX, 'file_too_large'],
    ['a zip bomb with a wrong size', () => createZipBomb(1_000), DOCX, 'file_unreadable|reading_out_of_memory'],
    ['nested entities', createDocxWithNestedEntities, DOCX, 'file_unreadable'],
    ['fifty megabytes of JSON on one line', createLongJsonLine, 'application/json', 'text_too_large'],
    ['deeply nested JSON', () => '['.repeat(5_000_000), 'application/json', 'file_unreadable|reading_out_of_memory'],
    ['a CSV of quotes', () => '"'.repeat(20_000_000), 'text/csv', 'reading_out_of_memory|text_too_large'],
    ['a program declared as PDF', () => Buffer.from('\x7fELF....'), 'application/pdf', 'file_type_mismatch'],
    ['a PDF declared as text', () => makePdf([[]]), 'text/plain', 'file_type_mismatch', 'notes.txt'],
    ['text declared as a spreadsheet', () => 'a,b', XLSX, 'file_type_mismatch', 'table.xlsx'],
  ])('the reader rejects %s, and then reads another file', async (_, ...[make, mimeType, code, name]) => {
    await expect(readBytes(make(), mimeType, name)).rejects.toMatchObject({
      name: 'ReadingFailed',
      code: expect.stringMatching(new RegExp(`^(?:${code})$`)) as string,
    });
    await expect(readBytes('next', 'text/plain')).resolves.toBe('next');
  });

  it('the reader finishes reading a PDF with a cycle in its page tree', async () => {
    await expect(readBytes(createPdfWithPageCycle(), 'application/pdf')).resolves.toBe('');
  });

  it('the reader omits a cell of a spreadsheet in row ten million, which exceeds the maximum number of rows', async () => {
    await expect(readBytes(createSheetWithDistantCells(), XLSX)).resolves.toBe('Sheet\n\nhere');
  });

  it('the reader omits the empty cells of a spreadsheet column that is formatted down to the last row', async () => {
    await expect(readBytes(createSheetWithFormattedColumn(), XLSX)).resolves.toBe('Sheet\n\nhere');
  });
});

describe('the external references of a document', { timeout: 60_000 }, () => {
  it('the reader never fetches the external references of a document', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end('secret');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`; // it listens on a port
    const picture =
      '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="i" r:embed="i"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const external = [
      { id: 'i', type: 'image', file: `${url}" TargetMode="External`, xml: '' },
      { id: 't', type: 'attachedTemplate', file: `${url}" TargetMode="External`, xml: '' },
    ];
    const entity = `<!DOCTYPE d [<!ENTITY x SYSTEM "${url}">]><d>&x;</d>`;
    try {
      await expect(readBytes(makeDocx(createParagraph('Here.') + picture, '', external), DOCX)).resolves.toContain(
        'Here.',
      );
      await expect(
        readBytes(
          makeXlsx(
            { Sheet: [['Here', 1]] },
            { related: { Sheet: [{ id: 'c', type: 'comments', file: 'comments.xml', xml: entity }] } },
          ),
          XLSX,
        ),
      ).rejects.toMatchObject({ code: 'file_unreadable' });
      await expect(readBytes(createSlideWithExternalParts(url), PPTX)).resolves.toContain('Here.');
      const page = `![a picture](${url}) <img src="${url}"> <link rel="stylesheet" href="${url}"> [more](${url})`;
      await expect(readBytes(page, 'text/markdown')).resolves.toContain('a picture');
      const action = `<< /Type /Page /MediaBox [0 0 9 9] /Contents << /F (${url}) /FS /URL >> >>`;
      await readBytes(
        Buffer.from(makePdf([[]]).toString('latin1').replace('/Type /Page ', action), 'latin1'),
        'application/pdf',
      );
      expect(asked).toEqual([]);
    } finally {
      server.close();
    }
  });
});
