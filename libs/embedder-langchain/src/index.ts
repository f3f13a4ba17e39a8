export { openGoogleEmbedder, type GoogleEmbedderSettings } from './google-embedder.js';
export { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';
