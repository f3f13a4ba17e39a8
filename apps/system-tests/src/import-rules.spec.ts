import { beforeAll, describe, expect, it } from 'vitest';
import { createLinter, type LintCode } from './create-linter.js';

let lintCode: LintCode;

beforeAll(async () => {
  lintCode = await createLinter();
});

describe('the rules for imports between layers', () => {
  it.each([
    ['a base library', 'libs/validation/src/index.ts', '@quarry/contracts'],
    ['a contract', 'libs/contracts/src/index.ts', '@quarry/embedder'],
    ['a port', 'libs/fragment-store/src/index.ts', '@quarry/fragment-store-qdrant'],
    ['an adapter', 'libs/fragment-store-qdrant/src/index.ts', '@quarry/service-kit'],
    ['the kit', 'libs/service-kit/src/index.ts', '@quarry/queue-bullmq'],
    ['an app', 'apps/gateway/src/index.ts', '@quarry/query'],
    ['an app', 'apps/query/src/index.ts', '@quarry/standalone'],
  ])('in the layer of %s, the file %s may not import %s', async (_layer, file, imported) => {
    expect(await lintCode(file, `import '${imported}';\n`)).toContainEqual(
      expect.stringMatching(/^@nx\/enforce-module-boundaries: /),
    );
  });

  it.each(['apps/standalone/src/index.ts', 'bench/quarry/percentile.ts'])(
    'the file %s may import the app gateway',
    async (file) => {
      expect(await lintCode(file, "import '@quarry/gateway';\n")).toEqual([]);
    },
  );
});

describe('imports of drivers', () => {
  it.each([
    ['bullmq', 'apps/gateway/src/index.ts'],
    ['ioredis', 'apps/crawler/src/index.ts'],
    ['pg', 'apps/query/src/index.ts'],
    ['@lancedb/lancedb', 'apps/query/src/index.ts'],
    ['@qdrant/js-client-rest', 'apps/ingestion-worker/src/index.ts'],
    ['@langchain/openai', 'apps/gateway/src/index.ts'],
    ['class-validator', 'apps/gateway/src/index.ts'],
  ])('the driver %s may not be imported in %s', async (driver, file) => {
    expect(await lintCode(file, `import '${driver}';\n`)).toContainEqual(
      expect.stringMatching(/^no-restricted-imports: /),
    );
  });
});

describe('import cycles', () => {
  it.each([
    [
      'two files',
      'libs/http-responses/src/retry-after.ts',
      './index.js',
      /^quarry\/import-cycles: These files .*: src\/retry-after\.ts → src\/index\.ts → src\/retry-after\.ts\./,
    ],
    [
      'files of which one imports only a type',
      'libs/document-readers/src/readers/pdf/segment.ts',
      './list-markers.js',
      /: src\/readers\/pdf\/segment\.ts → src\/readers\/pdf\/list-markers\.ts → src\/readers\/pdf\/segment\.ts\./,
    ],
    [
      'two folders',
      'libs/document-readers/src/splitting/fragment.ts',
      '../isolation/document-reader.js',
      /^quarry\/import-cycles: These folders .*: splitting → isolation → splitting\./,
    ],
    [
      'two folders of an app',
      'apps/crawler/src/politeness/polite-client.ts',
      '../pages/visit-address.js',
      /^quarry\/import-cycles: These folders .*: politeness → pages → politeness\./,
    ],
    [
      'two files of a benchmark',
      'bench/search/report.ts',
      './main.js',
      /^quarry\/import-cycles: These files .*: search\/report\.ts → search\/main\.ts → search\/report\.ts\./,
    ],
  ])('import cycles are refused between %s', async (_what, file, imported, message) => {
    expect(await lintCode(file, `import '${imported}';\n`)).toContainEqual(expect.stringMatching(message));
  });

  it('import cycles are allowed in specs, which import the code they test', async () => {
    const file = 'libs/http-responses/src/retry-after.spec.ts';
    expect(await lintCode(file, "import './index.js';\n")).not.toContainEqual(expect.stringMatching(/import-cycles/));
  });
});

describe('HTTP in the gateway', () => {
  const domain = 'apps/gateway/src/usage/query-reservations.ts';

  it.each([
    ['express', domain, "import type { Response } from 'express';\n"],
    ['express', 'apps/gateway/src/openapi/document.ts', "import { Router } from 'express';\n"],
    ['multer', 'apps/gateway/src/uploads/store-uploaded-file.ts', "import multer from 'multer';\n"],
    ['the statuses of problems', domain, "import { PROBLEMS } from '../problems.js';\n"],
    ['the HTTP edge', domain, "import { ok } from '../http/reply.js';\n"],
    ['operations', domain, "import { OPERATIONS } from '../operations/operations.js';\n"],
  ])('inside the gateway, %s may not be imported in the file %s', async (_what, file, code) => {
    expect(await lintCode(file, code)).toContainEqual(expect.stringMatching(/^no-restricted-imports: /));
  });

  it('the files of the HTTP edge of the gateway may import `express`', async () => {
    const rules = await lintCode(
      'apps/gateway/src/http/reply.ts',
      "import type { Response } from 'express';\nexport type R = Response;\n",
    );
    expect(rules).toEqual([]);
  });
});
