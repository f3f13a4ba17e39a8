import { describe, expect, it } from 'vitest';
import { classifyContent } from './visit-url.js';

describe('classifyContent', () => {
  const pdf = { kind: 'file', mimeType: 'application/pdf' };
  it.each([
    ['text/html', '/a', { kind: 'page' }],
    ['application/xhtml+xml', '/a', { kind: 'page' }],
    ['text/html', '/a.pdf', { kind: 'page' }],
    ['application/pdf', '/a', pdf],
    ['application/x-pdf', '/a', pdf],
    ['text/x-csv', '/a', { kind: 'file', mimeType: 'text/csv' }],
    ['application/octet-stream', '/a.PDF', pdf],
    [undefined, '/a.pdf', pdf],
    [undefined, '/a', { kind: 'page' }],
    ['text/plain', '/README.md', { kind: 'file', mimeType: 'text/markdown' }],
    ['text/plain', '/a.pdf', { kind: 'file', mimeType: 'text/plain' }],
    ['application/json', '/a', { kind: 'file', mimeType: 'application/json' }],
    ['video/mp4', '/a.pdf', { kind: 'unsupported', mimeType: 'video/mp4' }],
    ['application/xml', '/feed', { kind: 'unsupported', mimeType: 'application/xml' }],
  ])('classifyContent classifies the media type %j of the path %s as %j', (contentType, path, expected) => {
    expect(classifyContent(contentType, `https://example.com${path}`)).toEqual(expected);
  });
});
