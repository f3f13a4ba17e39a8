export { describeWithQdrant, type QdrantPlaces } from './describe-with-qdrant.js';
export { findQdrant, startQdrantServer, type QdrantServer } from './qdrant-server.js';
