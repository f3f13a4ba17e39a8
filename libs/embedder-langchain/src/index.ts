export { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';
