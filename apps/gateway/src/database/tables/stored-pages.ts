import type { DocumentPages } from '@quarry/contracts';

/** The pages of a document. Earlier versions stored no confidence of single pages. */
export type StoredPages = Omit<DocumentPages, 'confidences'> & Partial<Pick<DocumentPages, 'confidences'>>;
