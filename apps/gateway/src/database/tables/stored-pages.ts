import type { DocumentPages } from '@quarry/contracts';

/**
 * The pages of a document, as they are stored. Earlier versions did not store `confidences`, the OCR confidence of each
 * page.
 */
export type StoredPages = Omit<DocumentPages, 'confidences'> & Partial<Pick<DocumentPages, 'confidences'>>;
