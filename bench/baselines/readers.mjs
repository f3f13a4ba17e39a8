// Reads files with one library.
//   node readers.mjs list                      prints the names of the libraries as JSON
//   node readers.mjs make <folder>             writes a large table as CSV and as XLSX
//   node readers.mjs <library> <folder> …      prints a list of {type, file, ms, text | error} as JSON
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

const TIMES = 5;
const TABLE_ROWS = 20_000;

const formatRows = (found) => found.map((row) => row.join(' ')).join('\n');

/**
 * Contains a function per library. It loads the library, and returns one reader per file type. Each library runs in a
 * process of its own, because some share a pdf.js worker.
 */
const LIBRARIES = {
  '@hyzyla/pdfium': async () => {
    const { PDFiumLibrary } = await import('@hyzyla/pdfium');
    const pdfium = await PDFiumLibrary.init();
    const pdf = async (bytes) => {
      const document = await pdfium.loadDocument(bytes);
      const texts = [...document.pages()].map((page) => page.getText());
      document.destroy();
      return texts.join('\n');
    };
    return { pdf };
  },
  unpdf: async () => {
    const { extractText, getDocumentProxy } = await import('unpdf');
    const pdf = async (bytes) => {
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
      return text;
    };
    return { pdf };
  },
  'pdf-parse': async () => {
    const { PDFParse } = await import('pdf-parse');
    const pdf = async (bytes) => {
      const parser = new PDFParse({ data: new Uint8Array(bytes) });
      const { text } = await parser.getText();
      await parser.destroy();
      return text;
    };
    return { pdf };
  },
  mammoth: async () => {
    const { default: mammoth } = await import('mammoth');
    return { docx: async (buffer) => (await mammoth.convertToHtml({ buffer })).value.replace(/<[^>]*>/g, ' ') };
  },
  officeparser: async () => {
    // officeparser 8; LangChain's loader of slides depends on version 6.
    const { OfficeParser } = await import('officeparser8');
    const office = async (bytes) => (await (await OfficeParser.parseOffice(bytes)).to('text')).value;
    return { docx: office, pptx: office, xlsx: office, pdf: office };
  },
  'read-excel-file': async () => {
    const { default: readSheets } = await import('read-excel-file/node');
    const xlsx = async (bytes) => {
      const sheets = await readSheets(bytes);
      return sheets.map(({ sheet, data }) => `${sheet}\n${formatRows(data)}`).join('\n');
    };
    return { xlsx };
  },
  '@e965/xlsx': async () => {
    const { read, utils } = await import('@e965/xlsx');
    const xlsx = async (bytes) => {
      const book = read(bytes);
      return book.SheetNames.map((name) => `${name}\n${utils.sheet_to_csv(book.Sheets[name])}`).join('\n');
    };
    return { xlsx };
  },
  'csv-parse': async () => {
    const { parse } = await import('csv-parse/sync');
    return { csv: async (bytes) => formatRows(parse(bytes, { relax_column_count: true, relax_quotes: true })) };
  },
  papaparse: async () => {
    const { default: papa } = await import('papaparse');
    return { csv: async (bytes) => formatRows(papa.parse(bytes.toString('utf8')).data) };
  },
  'd3-dsv': async () => {
    const { csvParseRows } = await import('d3-dsv');
    return { csv: async (bytes) => formatRows(csvParseRows(bytes.toString('utf8'))) };
  },
};

const [command = '', ...folders] = process.argv.slice(2);
if (command === 'list') console.log(JSON.stringify(Object.keys(LIBRARIES)));
else if (command === 'make') await writeTestTables(folders[0]);
else {
  const results = await readAllFiles(await LIBRARIES[command](), folders);
  process.stdout.write(JSON.stringify(results), () => process.exit());
}

async function readAllFiles(readers, from) {
  const results = [];
  const files = from.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  for (const file of files) {
    const type = extname(file).slice(1);
    const read = readers[type];
    if (read !== undefined)
      results.push({ type, file: basename(file), ...(await measureReader(read, readFileSync(file))) });
  }
  return results;
}

async function measureReader(read, bytes) {
  let ms = Infinity;
  let text = '';
  try {
    for (let time = 0; time < TIMES; time += 1) {
      const begun = performance.now();
      text = await read(Buffer.from(bytes));
      ms = Math.min(ms, performance.now() - begun);
    }
    return { ms, text };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}

async function writeTestTables(folder) {
  const { utils, write } = await import('@e965/xlsx');
  const table = Array.from({ length: TABLE_ROWS }, (_, row) => [
    row,
    `item ${row}`,
    (row * 7919) % 1000,
    `a "quoted" word, a comma and\na line end ${row}`,
  ]);
  const quoteCell = (cell) => (typeof cell === 'string' ? `"${cell.replaceAll('"', '""')}"` : cell);
  writeFileSync(join(folder, 'large.csv'), table.map((row) => row.map(quoteCell).join(',')).join('\n'));
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(table), 'Large');
  writeFileSync(join(folder, 'large.xlsx'), write(book, { type: 'buffer', bookType: 'xlsx' }));
}
