import { describe, expect, it } from 'vitest';
import { KnowledgeUnavailable, retrieveFragments } from '../../retrieval/retrieve.js';
import { createSearchQuestion } from '../../retrieval/search-texts.js';
import { createInMemoryQueryParts } from '../../testing/in-memory-query-parts.js';
import { createScope, type SampleDocument } from '../../testing/knowledge.js';
import { searchNamedDocuments } from './search-named-documents.js';

const FILLER = Array.from({ length: 6 }, (_, at) => `Umbrella describes subject ${at}.`);

/** A report whose file name is only an abbreviation of the company's name. The full name is in its second fragment. */
const UMBRELLA: SampleDocument = {
  key: '2023 UMB.pdf',
  context: '2023 UMB.pdf',
  fragments: ['FORM 7-B', 'UMBRELLA LTD.', ...FILLER, 'The gross margin was 361 million.'],
};
const INITECH: SampleDocument = {
  key: '2023 INI.pdf',
  context: '2023 INI.pdf › Initech Ltd.',
  fragments: ['FORM 7-B', 'Initech describes its gross margin.'],
};

describe('searchNamedDocuments', () => {
  it('searchNamedDocuments finds a document whose first fragments contain a name from the question, although its file name does not', async () => {
    const parts = await createInMemoryQueryParts({ documents: [INITECH, UMBRELLA] });
    const question = createSearchQuestion('What was the gross margin of Umbrella?');
    const retrieval = { question, scope: createScope(), topK: 8 };
    const { signal } = new AbortController();
    const { candidates } = await retrieveFragments(parts, retrieval, signal);
    const focused = await searchNamedDocuments(parts, retrieval, candidates, signal);
    expect(focused?.focus).toBe('gross margin');
    expect(focused?.fragments.map(({ text }) => text)).toContain('The gross margin was 361 million.');
    expect(new Set(focused?.fragments.map(({ documentKey }) => documentKey))).toEqual(new Set(['2023 UMB.pdf']));
  });

  it('if the fragment store fails while the named documents are read, searchNamedDocuments throws KnowledgeUnavailable', async () => {
    const parts = await createInMemoryQueryParts({ documents: [INITECH, UMBRELLA] });
    const question = createSearchQuestion('What was the gross margin of Umbrella?');
    const retrieval = { question, scope: createScope(), topK: 8 };
    const { signal } = new AbortController();
    const { candidates } = await retrieveFragments(parts, retrieval, signal);
    const fragmentStore = Object.assign(Object.create(parts.fragmentStore), {
      listFragments: async () => Promise.reject(new Error('the disk does not respond')),
    }) as typeof parts.fragmentStore; // the prototype has all other methods
    const searched = searchNamedDocuments({ ...parts, fragmentStore }, retrieval, candidates, signal);
    await expect(searched).rejects.toThrow(KnowledgeUnavailable);
  });
});
