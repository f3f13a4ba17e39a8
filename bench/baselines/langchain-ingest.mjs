// Ingests files with LangChain's loaders, splitter and vector store, one after the other, as its documentation shows.
//   node langchain-ingest.mjs <memory|lancedb> <folder>
// Prints {documents, fragments, seconds} as JSON. Embeddings are constant.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Embeddings } from '@langchain/core/embeddings';
import { CSVLoader } from '@langchain/community/document_loaders/fs/csv';
import { DocxLoader } from '@langchain/community/document_loaders/fs/docx';
import { PDFLoader } from '@langchain/community/document_loaders/fs/pdf';
import { PPTXLoader } from '@langchain/community/document_loaders/fs/pptx';
import { JSONLoader } from '@langchain/classic/document_loaders/fs/json';
import { TextLoader } from '@langchain/classic/document_loaders/fs/text';
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';

const DIMENSIONS = 8;
/** Settings of the splitter, in characters: about 512 tokens of English, the default size of Quarry's fragments. */
const SPLITTING = { chunkSize: 2_000, chunkOverlap: 256 };

class ConstantEmbeddings extends Embeddings {
  async embedDocuments(texts) {
    return texts.map(() => [1, ...Array(DIMENSIONS - 1).fill(0)]);
  }
  async embedQuery() {
    return [1, ...Array(DIMENSIONS - 1).fill(0)];
  }
}

const LOADERS = {
  '.txt': TextLoader,
  '.md': TextLoader,
  '.csv': CSVLoader,
  '.json': JSONLoader,
  '.pdf': PDFLoader,
  '.docx': DocxLoader,
  '.pptx': PPTXLoader,
};

const [kind = 'memory', folder = '.'] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'langchain-'));
const embeddings = new ConstantEmbeddings({});
const splitter = new RecursiveCharacterTextSplitter(SPLITTING);
const files = readdirSync(folder).map((name) => join(folder, name));

const begun = performance.now();
const add = kind === 'memory' ? await createMemoryStore() : await createLanceStore();
let documents = 0;
let fragments = 0;
for (const path of files) {
  const loader = LOADERS[extname(path)];
  const pieces = await splitter.splitDocuments(await new loader(path).load());
  if (pieces.length > 0) await add(pieces);
  documents += 1;
  fragments += pieces.length;
}
const seconds = (performance.now() - begun) / 1_000;
rmSync(scratch, { recursive: true });
process.stdout.write(JSON.stringify({ documents, fragments, seconds }), () => process.exit());

async function createMemoryStore() {
  const store = new MemoryVectorStore(embeddings);
  return (pieces) => store.addDocuments(pieces);
}

/**
 * Opens a LanceDB store that stores only the source of each document, because the columns of the store are those of the
 * first row, and the loaders return different metadata.
 */
async function createLanceStore() {
  const { LanceDB } = await import('@langchain/community/vectorstores/lancedb');
  const { connect } = await import('@lancedb/lancedb');
  const database = await connect(scratch);
  const row = { vector: [1, ...Array(DIMENSIONS - 1).fill(0)], text: 'x', source: 'x' };
  const table = await database.createTable('documents', [row]);
  const store = new LanceDB(embeddings, { table });
  return (pieces) =>
    store.addDocuments(
      pieces.map(({ pageContent, metadata }) => ({ pageContent, metadata: { source: metadata.source } })),
    );
}
