import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listCatalogDependencies } from '@quarry/catalog-sync';
import { listCrawlerDependencies } from '@quarry/crawler';
import { listGatewayDependencies } from '@quarry/gateway';
import { listIngestionDependencies } from '@quarry/ingestion-worker';
import { listQueryDependencies } from '@quarry/query';
import type { Dependency } from '@quarry/service-kit';
import { expect, it } from 'vitest';

const OPERATIONS = fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url));
const PING = { ping: () => Promise.resolve() };
const SERVERS = { database: PING, queues: PING, blobs: PING, fragmentStore: PING, queryService: PING, gateway: PING };

const DECLARED: Readonly<Record<string, readonly Dependency[]>> = {
  gateway: listGatewayDependencies(SERVERS),
  query: listQueryDependencies(SERVERS),
  'ingestion-worker': listIngestionDependencies(SERVERS),
  crawler: listCrawlerDependencies(SERVERS),
  'catalog-sync': listCatalogDependencies(SERVERS),
};

/**
 * Returns the rows of the table that has this header row in docs/operations.md. Each row is a line with the texts of
 * its cells, separated by ` | `.
 */
function readTableRows(header: string): readonly string[] {
  const lines = readFileSync(OPERATIONS, 'utf8').split('\n').map(readCells);
  const start = lines.indexOf(header);
  expect(start).toBeGreaterThan(0);
  const rows = lines.slice(start + 2);
  return rows.slice(0, rows.indexOf(''));
}

function readCells(line: string): string {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
    .join(' | ');
}

it('docs/operations.md documents every dependency of every service as the service declares it', () => {
  const declared = Object.entries(DECLARED).flatMap(([service, dependencies]) =>
    dependencies.map(({ name, required, neededBy, delays = '' }) =>
      [service, name, required ? 'not ready' : 'degraded', neededBy.join(', '), delays].join(' | '),
    ),
  );
  expect(readTableRows('service | dependency | without it | fails | waits').toSorted()).toEqual(declared.toSorted());
});
