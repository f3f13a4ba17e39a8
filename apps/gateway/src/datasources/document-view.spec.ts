import { describe, expect, it } from 'vitest';
import type { DocumentRow } from '../database/tables/documents.js';
import { buildDocumentResponse } from './document-view.js';

describe('buildDocumentResponse', () => {
  it('buildDocumentResponse returns an empty list of OCR confidences for a document that an earlier version of Quarry indexed', () => {
    const pages = { total: 2, undecoded: 0, images: 0, recognized: 2, confidence: 91 };
    const row = { documentKey: 'a', pages, settledAt: new Date('2026-11-23T12:00:00Z') } as DocumentRow;
    expect(buildDocumentResponse(row).pages).toEqual({ ...pages, confidences: [] });
    expect(buildDocumentResponse({ ...row, pages: null }).pages).toBeNull();
  });
});
