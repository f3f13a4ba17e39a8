export { QuarryRetriever, type QuarryRetrieverFields } from './quarry-retriever.js';
export { QuarryVectorStore, type QuarryVectorStoreFields } from './quarry-vector-store.js';
