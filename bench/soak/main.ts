import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startConstantProvider } from '../ingest/constant-provider.js';
import { computeGrowth } from '../ingest/sample-memory.js';
import { startQuarry, withFolder } from '../quarry/start-quarry.js';
import { sampleResources, type Resources } from './sample-resources.js';
import { sendTraffic, type Counts } from './traffic.js';

/** Maximum mean of the last quarter of the samples relative to the second quarter. */
const MAX_GROWTH = 1.2;
const PROBE = fileURLToPath(new URL('./memory-probe.js', import.meta.url));
/** The parts of `memory`, which have no targets of their own. */
const PARTS: readonly string[] = ['heapUsed', 'heapTotal', 'buffers', 'native'];
/** Maximum number of temporary files, and of unfinished blobs, at the end. */
const MAX_TEMPORARY_FILES = 20;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
    documents: { type: 'string', default: '20000' },
    'sample-seconds': { type: 'string', default: '15' },
    /** Folder for heap snapshots of Quarry, after a quarter of the time and near the end. */
    'heap-snapshots': { type: 'string' },
  },
});

const provider = await startConstantProvider();
const report = await withFolder(measure);
provider.stop();
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatLines(report).join('\n'));
process.exitCode = report.missed.length === 0 ? 0 : 1;

interface Row {
  readonly resource: keyof Resources;
  readonly first: number;
  readonly most: number;
  readonly last: number;
  readonly growth: number;
}

interface Report {
  readonly samples: readonly Resources[];
  readonly rows: readonly Row[];
  readonly counts: Counts;
  readonly missed: readonly string[];
  /** The error lines of the log, which explain failed requests. */
  readonly errorLines: readonly string[];
}

async function measure(scratch: string): Promise<Report> {
  const folder = join(scratch, 'quarry');
  const probeFolder = values['heap-snapshots'] ?? join(scratch, 'probe');
  await mkdir(probeFolder, { recursive: true });
  const variables = {
    QUARRY_EMBEDDING_BASE_URL: provider.baseUrl,
    QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
    BENCH_PROBE_FOLDER: probeFolder,
  };
  const quarry = await startQuarry({ folder, variables, nodeOptions: ['--import', PROBE] });
  const isOver = new AbortController();
  try {
    const { pid } = quarry;
    const sampling = sampleResources(
      { pid, folder, probeFolder },
      Number(values['sample-seconds']) * 1_000,
      isOver.signal,
    );
    const minutes = Number(values.minutes);
    const snapshots = values['heap-snapshots'] === undefined ? undefined : takeSnapshots(pid, minutes);
    const counts = await sendTraffic(quarry, { documents: Number(values.documents), minutes });
    await snapshots;
    isOver.abort();
    return createReport(await sampling, counts, quarry.listErrorLines());
  } finally {
    isOver.abort();
    await quarry.stop();
  }
}

/** Requests a heap snapshot after a quarter of the time, and one near the end. */
async function takeSnapshots(pid: number, minutes: number): Promise<void> {
  for (const share of [0.25, 0.7]) {
    await wait(share * minutes * 60_000);
    process.kill(pid, 'SIGUSR2');
  }
}

function createReport(samples: readonly Resources[], counts: Counts, errorLines: readonly string[]): Report {
  const resources = Object.keys(samples[0] ?? {}) as (keyof Resources)[]; // Object.keys widens them to string
  const rows = resources.map((resource) => {
    const series = samples.map((sample) => sample[resource]);
    return {
      resource,
      first: series[0] ?? NaN,
      most: Math.max(...series),
      last: series.at(-1) ?? NaN,
      growth: computeGrowth(series),
    };
  });
  const missed = [
    ...rows.filter(isMissed).map(({ resource }) => resource),
    ...Object.keys(counts).filter((kind) => kind.includes('failed')),
  ];
  return { samples, rows, counts, missed, errorLines };
}

function isMissed({ resource, last, growth }: Row): boolean {
  if (PARTS.includes(resource)) return false;
  if (resource === 'temporaryFiles' || resource === 'unfinishedBlobs') return last > MAX_TEMPORARY_FILES;
  return growth > MAX_GROWTH;
}

function formatLines({ rows, counts, missed, errorLines }: Report): readonly string[] {
  return [
    '| resource | first | most | last | growth |',
    '| -------- | ----- | ---- | ---- | ------ |',
    ...rows.map(
      ({ resource, first, most, last, growth }) =>
        `| ${resource} | ${Math.round(first)} | ${Math.round(most)} | ${Math.round(last)} | ${growth.toFixed(2)} |`,
    ),
    '',
    ...Object.entries(counts).map(([kind, count]) => `${kind}: ${count}`),
    '',
    ...errorLines,
    missed.length === 0 ? 'all targets met' : `missed: ${missed.join(', ')}`,
  ];
}
