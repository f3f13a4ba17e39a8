// Measures how long the documents of one tenant wait for those of another tenant, and the cost of fair dispatch.
import { parseArgs } from 'node:util';
import { parseNames, parseNumber } from '../quarry/parse-option.js';
import { findMissedMemoryTargets, formatRedisPeaks, measureRedisMemory } from './measure-redis-memory.js';
import {
  findMissedExternalServerTargets,
  formatExternalServerFigures,
  measureExternalServers,
} from './measure-external-servers.js';
import { findMissedShareTargets, formatShares, measureShares } from './measure-shares.js';
import { findMissedUploadTargets, formatSingleUploads, measureSingleUploads } from './measure-single-uploads.js';
import { findMissedThroughputTargets, formatThroughput, measureThroughput } from './measure-throughput.js';
import { type Backend, BACKENDS, type Stack, runWithStack } from './start-stack.js';

const PART_NAMES = ['uploads', 'shares', 'outsiders', 'throughput', 'memory'] as const;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Queue servers with which the benchmark runs, separated by commas: `postgres`, `redis`. */
    backends: { type: 'string', default: BACKENDS.join(',') },
    parts: { type: 'string', default: PART_NAMES.join(',') },
    /** Number of documents that a tenant imports in the parts `uploads` and `memory`. */
    documents: { type: 'string', default: '20000' },
    tenants: { type: 'string', default: '50' },
    /** Total number of documents of all tenants in the part `shares`. The n-th tenant has 1/n as many as the first. */
    'zipf-documents': { type: 'string', default: '20000' },
    /** Duration of the measurement with slow external servers in the part `outsiders`, in seconds. */
    'outsider-seconds': { type: 'string', default: '240' },
    /** Number of documents that each turn of the part `throughput` indexes in each of the modes `fair` and `fifo`. */
    'turn-documents': { type: 'string', default: '4000' },
    turns: { type: 'string', default: '5' },
  },
});
const numbers = {
  documents: parseNumber('documents', values.documents),
  tenants: parseNumber('tenants', values.tenants),
  zipfDocuments: parseNumber('zipf-documents', values['zipf-documents']),
  outsiderSeconds: parseNumber('outsider-seconds', values['outsider-seconds']),
  turnDocuments: parseNumber('turn-documents', values['turn-documents']),
  turns: parseNumber('turns', values.turns),
};
const backends = parseNames('backends', values.backends, BACKENDS);
const parts = parseNames('parts', values.parts, PART_NAMES);

/** Holds the result of one part of the benchmark: its figures, the lines to print, and the names of missed targets. */
interface PartResult {
  readonly figures: unknown;
  readonly lines: readonly string[];
  readonly missed: readonly string[];
}

/** Measures one part of the benchmark. Returns undefined if the part does not apply to the queue server `backend`. */
type Part = (stack: Stack, backend: Backend) => Promise<PartResult | undefined>;

const PARTS: Readonly<Record<(typeof PART_NAMES)[number], Part>> = {
  uploads: async (stack) => {
    const figures = await measureSingleUploads(stack, numbers.documents);
    return { figures, lines: formatSingleUploads(figures), missed: findMissedUploadTargets(figures) };
  },
  shares: async (stack) => {
    const figures = await measureShares(stack, numbers.tenants, numbers.zipfDocuments);
    return { figures, lines: formatShares(figures), missed: findMissedShareTargets(figures) };
  },
  outsiders: async (stack) => {
    const figures = await measureExternalServers(stack, numbers.outsiderSeconds);
    return { figures, lines: formatExternalServerFigures(figures), missed: findMissedExternalServerTargets(figures) };
  },
  throughput: async (stack) => {
    const figures = await measureThroughput(stack, numbers.turnDocuments, numbers.turns);
    return { figures, lines: formatThroughput(figures), missed: findMissedThroughputTargets(figures) };
  },
  memory: async (stack, backend) => {
    if (backend !== 'redis') return undefined;
    const figures = await measureRedisMemory(stack, numbers.documents);
    return { figures, lines: formatRedisPeaks(figures), missed: findMissedMemoryTargets(figures) };
  },
};

const missed: string[] = [];
const report: object[] = [];
for (const backend of backends) {
  for (const name of parts) {
    // Each part uses a new Quarry, because the previous part leaves jobs and connections to slow servers.
    const result = await runWithStack(backend, async (stack) => PARTS[name](stack, backend));
    if (result === undefined) continue;
    missed.push(...result.missed.map((target) => `${target} (${backend})`));
    report.push({ backend, part: name, figures: result.figures });
    if (!values.json) console.log([`${backend}: ${result.lines[0] ?? ''}`, ...result.lines.slice(1)].join('\n'));
  }
}
if (values.json) console.log(JSON.stringify({ report, missed }, undefined, 2));
else console.log(missed.length === 0 ? 'All targets are met.' : `Missed: ${missed.join(', ')}.`);
process.exitCode = missed.length === 0 ? 0 : 1;
