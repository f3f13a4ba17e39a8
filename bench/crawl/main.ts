import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseNumber } from '../quarry/parse-option.js';
import { runWithTemporaryFolder } from '../quarry/start-quarry.js';
import type { Outcome } from './outcome.js';
import { runCrawler, startSiteProcess, type CrawlerName } from './run-crawler.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '2000' },
    'at-once': { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
  },
});
const pages = parseNumber('pages', values.pages);
const concurrency = parseNumber('at-once', values['at-once']);
const rounds = parseNumber('rounds', values.rounds);
const TARGET = 1.3;
/** Target: minimum number of pages that Quarry crawls per CPU second, divided by that of Crawlee. */
const MIN_CPU_RATIO = 1;

const { site, address } = await startSiteProcess(pages);
const outcomes: Record<CrawlerName, Outcome[]> = { quarry: [], crawlee: [] };
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const crawler of ['crawlee', 'quarry'] as const) {
      outcomes[crawler].push(
        await runWithTemporaryFolder((folder) =>
          runCrawler(crawler, { address, folder: join(folder, 'data'), pages, concurrency }),
        ),
      );
    }
  }
} finally {
  site.kill();
}

const quarry = selectMedianOutcome(outcomes.quarry);
const crawlee = selectMedianOutcome(outcomes.crawlee);
const speed = crawlee.seconds / quarry.seconds;
const memory = quarry.megabytes / crawlee.megabytes;
const cpu = crawlee.cpuSeconds / quarry.cpuSeconds;
const isSame = [quarry, crawlee].every(({ pages: crawled, words }) => crawled === pages && words === quarry.words);
const report = { pages, concurrency, rounds, outcomes, speed, cpu, memory, isSame, target: TARGET };
if (values.json) console.log(JSON.stringify(report, undefined, 2));
else {
  for (const [name, { seconds, cpuSeconds, megabytes, pages: crawled, words }] of Object.entries({ quarry, crawlee })) {
    const rate = (crawled / seconds).toFixed(1).padStart(7);
    console.log(
      `${name.padEnd(8)} ${rate} pages/s  ${cpuSeconds.toFixed(1)} s of CPU  ${String(megabytes).padStart(5)} MB  ${crawled} pages, ${words} words`,
    );
  }
  console.log(
    `speed ${speed.toFixed(2)} (target ${TARGET.toFixed(1)})  pages per CPU second ${cpu.toFixed(2)} (target ${MIN_CPU_RATIO.toFixed(1)})  memory ${memory.toFixed(2)}  same text: ${isSame ? 'yes' : 'no'}`,
  );
}
process.exitCode = speed >= TARGET && cpu >= MIN_CPU_RATIO && isSame ? 0 : 1;

/** Returns the outcome with the median duration. @throws Error if there are no outcomes */
function selectMedianOutcome(all: readonly Outcome[]): Outcome {
  const [middle] = all.toSorted((a, b) => a.seconds - b.seconds).slice(Math.floor(all.length / 2));
  if (middle === undefined) throw new Error('expected at least one round of measurements, found none');
  return middle;
}
