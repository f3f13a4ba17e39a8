export { findQdrant, startQdrantServer, type QdrantServer } from './qdrant-server.js';
