import { Readable } from 'node:stream';
import { type FragmentResponse, MAX_PAGE_SIZE } from '@quarry/contracts';
import type { Caller } from '../../../access/caller.js';
import type { FoundDatasource } from '../../../datasources/datasource-repository.js';
import { readDatasourceFragments } from '../../../fragments/read-datasource-fragments.js';
import type { Gateway } from '../../../gateway.js';
import type { Reply } from '../../../http/reply.js';
import type { FileContentPart, VectorStoreFileContent } from './vector-store-file-shapes.js';

/**
 * Builds the reply with the whole text of a file, because clients of OpenAI's API request no further page. Its JSON is
 * formatted while the client receives it, because a text can be too large for the memory.
 *
 * @throws the problem with which the query service refuses the first request for fragments
 */
export async function buildFileContentReply(
  gateway: Pick<Gateway, 'db' | 'queryService'>,
  caller: Caller,
  { found, signal }: { found: FoundDatasource; signal: AbortSignal },
): Promise<Reply<200, VectorStoreFileContent>> {
  const page = { documentKey: undefined, limit: MAX_PAGE_SIZE, first: undefined };
  const fragments = readDatasourceFragments(gateway, caller, { found, page, signal });
  // Read before the status is sent, so that a refusal of the query service has its own status.
  const first = await fragments.next();
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    content: { bytes: Readable.from(formatFileContent(first, fragments)) },
  };
}

/** Formats the JSON of `VectorStoreFileContent` piece by piece. */
async function* formatFileContent(
  first: IteratorResult<FragmentResponse, void>,
  others: AsyncIterable<FragmentResponse>,
): AsyncGenerator<string> {
  yield '{"object":"vector_store.file_content.page","data":[';
  if (first.done !== true) {
    yield formatPart(first.value);
    for await (const fragment of others) yield `,${formatPart(fragment)}`;
  }
  yield '],"has_more":false,"next_page":null}';
}

function formatPart({ text }: FragmentResponse): string {
  return JSON.stringify({ type: 'text', text } satisfies FileContentPart);
}
