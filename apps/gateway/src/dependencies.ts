import type { Dependency, Pingable } from '@quarry/service-kit';

/** The servers and services that a gateway depends on, each with a health check. */
interface GatewayServers {
  readonly database: Pingable;
  readonly queues: Pingable;
  readonly blobs: Pingable;
  readonly queryService: Pingable;
}

/**
 * Lists the dependencies of a gateway, each with the API operations that fail with 503 while the dependency is
 * unavailable. Only the database is required: without the queue, jobs wait in the outbox, and only some operations need
 * the others.
 */
export function listGatewayDependencies({
  database,
  queues,
  blobs,
  queryService,
}: GatewayServers): readonly Dependency[] {
  return [
    { name: 'database', required: true, neededBy: ['every operation'], check: () => database.ping() },
    {
      name: 'queue',
      required: false,
      neededBy: [],
      delays:
        'indexing, page pictures, crawls, listing syncs, webhooks, and the removal of deleted content, which searches exclude at once; each gateway limits requests by itself',
      check: () => queues.ping(),
    },
    {
      name: 'blobs',
      required: false,
      neededBy: [
        ...['uploadFile', 'createDatasource of a file', 'upsertDocuments', 'getOriginal', 'getPagePicture'],
        ...['createFile', 'downloadFile', 'addUploadPart', 'completeUpload'],
        ...['createVectorStore', 'createVectorStoreFile', 'createVectorStoreFileBatch'],
      ],
      delays: 'the removal of the bytes of deleted content',
      check: () => blobs.ping(),
    },
    {
      name: 'query',
      required: false,
      neededBy: [
        ...['queryAgent', 'queryDatastore', 'previewPrompt', 'listFragments'],
        ...['getModelConnections', 'setModelConnection', 'testModelConnection', 'deleteModelConnection'],
        ...['createChatCompletion', 'createResponse', 'countInputTokens', 'createEmbedding'],
        ...['searchVectorStore', 'retrieveVectorStoreFileContent'],
      ],
      check: () => queryService.ping(),
    },
  ];
}
