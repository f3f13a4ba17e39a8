import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import { startConstantProvider } from '../ingest/constant-provider.js';
import { parseNumber } from '../quarry/parse-option.js';
import { startQuarry, runWithTemporaryFolder, type QuarryUnderTest } from '../quarry/start-quarry.js';
import { openDatabaseProbe, type DatabaseProbe } from './read-database.js';
import { sampleResources, type Resources } from './sample-resources.js';
import { sendMixedTraffic, type Counts } from './traffic.js';
import { createResourceRows, formatResourceRows, type Row } from './windows.js';

/**
 * Maximum growth of a resource: the mean of the last quarter of its samples, divided by the mean of the second quarter.
 */
const MAX_GROWTH = 1.2;
const PROBE = fileURLToPath(new URL('./memory-probe.js', import.meta.url));
/**
 * Resources whose growth has no target: the parts of `memory`, and the stored data, which grow with the number of
 * documents.
 */
const WITHOUT_TARGET: readonly string[] = [
  ...['heapUsed', 'heapTotal', 'buffers', 'native'],
  ...['fragmentsSize', 'fragmentFiles', 'databaseSize', 'deadRows'],
];
/** Maximum number of temporary files, and maximum number of unfinished blobs, in the last sample. */
const MAX_TEMPORARY_FILES = 20;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
    documents: { type: 'string', default: '20000' },
    'sample-seconds': { type: 'string', default: '15' },
    /** Length of a window of samples, in minutes. A line of progress is printed at the end of each window. */
    'window-minutes': { type: 'string', default: '5' },
    /**
     * Folder for heap snapshots of Quarry, which are taken after a quarter of the measured time and near its end.
     * Absent: none are taken.
     */
    'heap-snapshots': { type: 'string' },
  },
});

const intervalMs = parseNumber('sample-seconds', values['sample-seconds']) * 1_000;
const minutes = parseNumber('minutes', values.minutes);
const documents = parseNumber('documents', values.documents);
const windowMinutes = parseNumber('window-minutes', values['window-minutes']);
const samplesPerWindow = Math.max(1, Math.round((windowMinutes * 60_000) / intervalMs));
const provider = await startConstantProvider();
const report = await runWithTemporaryFolder(measureSoak);
provider.stop();
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatReportLines(report).join('\n'));
process.exitCode = report.missed.length === 0 ? 0 : 1;

interface Report {
  readonly samples: readonly Resources[];
  readonly rows: readonly Row<keyof Resources>[];
  readonly largestTables: readonly string[];
  readonly counts: Counts;
  readonly missed: readonly string[];
  /** The error lines of Quarry's log, which explain the failed requests in `counts`. */
  readonly errorLines: readonly string[];
}

interface Folders {
  readonly folder: string;
  readonly probeFolder: string;
  readonly temporaryFolder: string;
}

/** Starts PostgreSQL and Quarry with their data in the folder `scratch`, and measures their resources under traffic. */
async function measureSoak(scratch: string): Promise<Report> {
  const folders = {
    folder: join(scratch, 'quarry'),
    probeFolder: values['heap-snapshots'] ?? join(scratch, 'probe'),
    temporaryFolder: join(scratch, 'tmp'),
  };
  for (const folder of [folders.probeFolder, folders.temporaryFolder]) await mkdir(folder, { recursive: true });
  const postgres = await startEmbeddedPostgres({ directory: join(scratch, 'server') });
  const database = await openDatabaseProbe(postgres.url);
  const variables = {
    DATABASE_URL: postgres.url,
    QUARRY_EMBEDDING_BASE_URL: provider.baseUrl,
    QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
    QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
    // By default, LanceDB's cache may use an eighth of the memory. A cache of this size would grow during the whole
    // run, and hide a leak.
    QUARRY_LANCEDB_CACHE_MB: '16',
    BENCH_PROBE_FOLDER: folders.probeFolder,
    TMPDIR: folders.temporaryFolder,
  };
  try {
    const quarry = await startQuarry({ folder: folders.folder, variables, nodeOptions: ['--import', PROBE] });
    try {
      return await measureQuarryUnderTraffic(quarry, database, folders);
    } finally {
      await quarry.stop();
    }
  } finally {
    await database.close();
    await postgres.stop();
  }
}

async function measureQuarryUnderTraffic(
  quarry: QuarryUnderTest,
  database: DatabaseProbe,
  folders: Folders,
): Promise<Report> {
  const { pid } = quarry;
  const isOver = new AbortController();
  const onSample = async (samples: readonly Resources[]): Promise<void> => printMeansOfLastWindow(samples, database);
  const sampling = sampleResources({ ...folders, pid, database }, { intervalMs, signal: isOver.signal, onSample });
  try {
    const snapshots = values['heap-snapshots'] === undefined ? undefined : requestHeapSnapshots(pid, minutes);
    const counts = await sendMixedTraffic(quarry, { documents, minutes });
    await snapshots;
    isOver.abort();
    const largestTables = await database.listLargestTables();
    return createReport(await sampling, { counts, largestTables, errorLines: quarry.listErrorLines() });
  } finally {
    isOver.abort();
    await sampling;
  }
}

/** Prints the means of the last window of samples, if that window is complete. */
async function printMeansOfLastWindow(samples: readonly Resources[], database: DatabaseProbe): Promise<void> {
  if (samples.length % samplesPerWindow !== 0) return;
  const means = createResourceRows(samples.slice(-samplesPerWindow), samplesPerWindow).map(
    ({ resource, windows }) => `${resource} ${(windows[0] ?? NaN).toFixed(0)}`,
  );
  const tables = (await database.listLargestTables()).join(', ');
  console.error(`${(samples.length / samplesPerWindow) * windowMinutes} min: ${means.join(', ')}; tables: ${tables}`);
}

/** Requests two heap snapshots of the process `pid`: after a quarter of the `minutes`, and near their end. */
async function requestHeapSnapshots(pid: number, minutes: number): Promise<void> {
  for (const share of [0.25, 0.7]) {
    await wait(share * minutes * 60_000);
    process.kill(pid, 'SIGUSR2');
  }
}

function createReport(
  samples: readonly Resources[],
  rest: Pick<Report, 'counts' | 'largestTables' | 'errorLines'>,
): Report {
  const rows = createResourceRows(samples, samplesPerWindow);
  const missed = [
    ...rows.filter(isTargetMissed).map(({ resource }) => resource),
    ...Object.keys(rest.counts).filter((kind) => kind.includes('failed')),
  ];
  return { samples, rows, missed, ...rest };
}

function isTargetMissed({ resource, last, growth }: Row<keyof Resources>): boolean {
  if (WITHOUT_TARGET.includes(resource)) return false;
  if (resource === 'temporaryFiles' || resource === 'unfinishedBlobs') return last > MAX_TEMPORARY_FILES;
  return growth > MAX_GROWTH;
}

function formatReportLines({ rows, counts, largestTables, missed, errorLines }: Report): readonly string[] {
  return [
    ...formatResourceRows(rows, windowMinutes),
    '',
    `largest tables (MiB): ${largestTables.join(', ')}`,
    ...Object.entries(counts).map(([kind, count]) => `${kind}: ${count}`),
    '',
    ...errorLines,
    missed.length === 0 ? 'all targets met' : `missed: ${missed.join(', ')}`,
  ];
}
