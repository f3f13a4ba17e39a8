import { describe, expect, it } from 'vitest';
import { describeEmbedder, createInMemoryEmbedder } from './index.js';

describeEmbedder('the in-memory embedder', async () => ({
  embedder: createInMemoryEmbedder(),
  close: () => Promise.resolve(),
}));

describe('the in-memory embedder', () => {
  it.each([
    ['how long is the warranty', 'The warranty lasts two years', 'Our office is in Lisbon'],
    ['保証は何年', '保証は二年間です', '東京に本社があります'],
  ])(
    'the more words a text shares with the query %j, the nearer its vector is to the vector of the query',
    async (question, answer, other) => {
      const embedder = createInMemoryEmbedder();
      const query = await embedder.embedQuery(question);
      const [near, far] = (await embedder.embedDocuments([answer, other])).map((vector) =>
        vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0),
      );
      expect(near).toBeGreaterThan(far ?? Infinity);
    },
  );
});
