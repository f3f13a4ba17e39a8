import type { SplittingSettings } from '@quarry/contracts';
import type { DatasourceRow } from '../../../database/tables/datasources.js';
import type { DatastoreRow } from '../../../database/tables/datastores.js';
import { getContentSize } from '../../../files/file-repository.js';
import type { FileAttributes } from '../../../vector-stores/attach-files.js';
import { getFileId, type VectorStoreFile } from '../../../vector-stores/vector-store-files.js';
import { formatResourceId } from '../protocol/resource-ids.js';
import { isAttributeValue } from '../protocol/text-map.js';
import { toUnixTime } from '../protocol/unix-time.js';
import type { VectorStoreFileObject } from './vector-store-file-shapes.js';

/** Builds the file object of a datasource in its vector store. */
export function buildVectorStoreFileObject(
  { id, splitting }: Pick<DatastoreRow, 'id' | 'splitting'>,
  { datasource, status }: VectorStoreFile,
): VectorStoreFileObject {
  const { createdAt, metadata } = datasource;
  return {
    id: formatResourceId('file', getFileId(datasource)),
    object: 'vector_store.file',
    usage_bytes: getContentSize(datasource),
    created_at: toUnixTime(createdAt),
    vector_store_id: formatResourceId('vector store', id),
    status,
    last_error: status === 'failed' ? buildFileError(datasource) : null,
    chunking_strategy: buildChunkingStrategy(splitting),
    attributes: selectAttributes(metadata),
  };
}

/**
 * Returns the metadata of a datasource without values that attributes cannot have, such as lists and objects. Clients
 * of Quarry’s own API can set such values.
 */
export function selectAttributes(metadata: DatasourceRow['metadata']): FileAttributes {
  return Object.fromEntries(
    Object.entries(metadata ?? {}).flatMap(([key, value]) => (isAttributeValue(value) ? [[key, value]] : [])),
  );
}

function buildChunkingStrategy({
  maxTokens,
  overlapTokens,
}: SplittingSettings): VectorStoreFileObject['chunking_strategy'] {
  return { type: 'static', static: { max_chunk_size_tokens: maxTokens, chunk_overlap_tokens: overlapTokens } };
}

/** Error codes that OpenAI's API reports as `unsupported_file`. It reports codes in neither list as `server_error`. */
const UNSUPPORTED: readonly string[] = ['file_type_unsupported', 'file_type_mismatch', 'unsupported_type'];
/** Error codes that OpenAI's API reports as `invalid_file`. */
const INVALID: readonly string[] = [
  ...['file_empty', 'file_encrypted', 'file_unreadable', 'file_too_large', 'text_too_large', 'no_text_found'],
  ...['reading_out_of_memory', 'reading_timed_out'],
];

function buildFileError({ errorCode, errorMessage }: DatasourceRow): VectorStoreFileObject['last_error'] {
  const reason = errorCode ?? '';
  const other = INVALID.includes(reason) ? 'invalid_file' : 'server_error';
  return { code: UNSUPPORTED.includes(reason) ? 'unsupported_file' : other, message: errorMessage ?? reason };
}
