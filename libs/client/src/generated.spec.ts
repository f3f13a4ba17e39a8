import { readFile } from 'node:fs/promises';
import openapiTypescript, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { ROUTES } from './generated/routes.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const DOCUMENT = new URL('generated/openapi.json', import.meta.url);
const TYPES = new URL('generated/schema.ts', import.meta.url);

describe('the generated client', () => {
  it('the generated client has types that match the OpenAPI document; otherwise run npm run generate', async () => {
    const made = COMMENT_HEADER + astToString(await openapiTypescript(DOCUMENT));
    expect(await readFile(TYPES, 'utf8')).toBe(made);
  });

  it('the generated client has a route for every documented operation below /api', async () => {
    const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as Document; // committed file, tested by the gateway
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      'servers' in item ? [] : Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const known = Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`);
    expect(known.toSorted()).toEqual(documented.toSorted());
  });
});
