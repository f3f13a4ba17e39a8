export { startFakeReranker, type FakeReranker, type RerankerAnswer, type RerankerRequest } from './fake-reranker.js';
