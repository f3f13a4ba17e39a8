export { describeWithQdrant, describeWithNewQdrant, type QdrantEnvironment } from './describe-with-qdrant.js';
export { findQdrant, startQdrantServer, type QdrantAccess, type QdrantServer } from './qdrant-server.js';
