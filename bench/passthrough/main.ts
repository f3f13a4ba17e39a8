// npm run bench -- passthrough [--requests 8000] [--rounds 4] [--json]: chat completions of Quarry and of a plain
// proxy.
import { parseArgs } from 'node:util';
import { startFakeModel } from '../answer/start-fake-model.js';
import { readCpuSeconds } from '../quarry/cpu-seconds.js';
import { measureDuration } from '../quarry/measure-duration.js';
import { parseNumber } from '../quarry/parse-option.js';
import { readResidentMemory } from '../quarry/process-memory.js';
import { startQuarry, runWithTemporaryFolder } from '../quarry/start-quarry.js';
import { runLoad, type Load } from '../search/run-load.js';
import { createQuestionSender, type Form } from './create-question-sender.js';
import { createReport, formatReportTable, type Measurements, type Row } from './report.js';
import { startPlainProxy, type Gateway } from './start-plain-proxy.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '8000' },
    rounds: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});

const rounds = parseNumber('rounds', values.rounds);
const CONCURRENCY = 10;
const FORMS: readonly Form[] = ['whole', 'streamed'];
const QUESTION = 'How long does the warranty of a washing machine last?';
const questions = Array.from({ length: Math.ceil(parseNumber('requests', values.requests) / rounds) }, () => QUESTION);

const provider = await startFakeModel({ firstMs: 0, everyMs: 0, tokens: 20 });
try {
  const rows = await runWithTemporaryFolder(async (folder) => measureProxyAndQuarry(folder, provider.baseUrl));
  const report = createReport(rows);
  console.log(values.json ? JSON.stringify(report, undefined, 2) : formatReportTable(report));
  process.exitCode = report.missed.length === 0 ? 0 : 1;
} finally {
  await provider.stop();
}

/** Measures the chat completions of a plain proxy and of a Quarry that stores its data in this folder. */
async function measureProxyAndQuarry(folder: string, providerUrl: string): Promise<readonly Row[]> {
  // The first start creates the database, and is not measured.
  await (await startQuarryAsGateway(folder, providerUrl)).stop();
  const proxy = await startAndMeasureGateway(() => startPlainProxy(providerUrl));
  const quarry = await startAndMeasureGateway(() => startQuarryAsGateway(folder, providerUrl));
  try {
    const rows: Row[] = [];
    for (const form of FORMS) rows.push({ form, ...(await measureFormAlternately(proxy, quarry, form)) });
    return rows;
  } finally {
    await quarry.stop();
    await proxy.stop();
  }
}

async function startQuarryAsGateway(folder: string, providerUrl: string): Promise<Omit<Gateway, 'startMs'>> {
  const nodeOptions = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const variables = { QUARRY_MODEL_BASE_URL: providerUrl, QUARRY_MODEL: 'fake' };
  const quarry = await startQuarry({ folder, variables, nodeOptions });
  const { apiKey, pid } = quarry;
  const baseUrl = quarry.baseUrl.replace(/api$/, 'v1');
  return { name: 'Quarry', model: 'default', baseUrl, apiKey, pid, stop: async () => quarry.stop() };
}

async function startAndMeasureGateway(start: () => Promise<Omit<Gateway, 'startMs'>>): Promise<Gateway> {
  const { result: gateway, ms } = await measureDuration(async () => {
    const started = await start();
    await createQuestionSender(started, 'whole')(QUESTION);
    return started;
  });
  return { ...gateway, startMs: ms };
}

/**
 * Measures whole or streamed answers of the proxy and of Quarry alternately, so that other load on the machine affects
 * both.
 */
async function measureFormAlternately(proxy: Gateway, quarry: Gateway, form: Form): Promise<Omit<Row, 'form'>> {
  const programs = [proxy, quarry].map((gateway) => ({ gateway, ask: createQuestionSender(gateway, form) }));
  const loads = new Map<Gateway, Load[]>([proxy, quarry].map((gateway) => [gateway, []]));
  const cpuSeconds = new Map<Gateway, number>();
  for (const { ask } of programs) await runLoad(questions.slice(0, questions.length / 4), CONCURRENCY, ask);
  for (let round = 0; round < rounds; round += 1) {
    for (const { gateway, ask } of programs) {
      const before = await readCpuSeconds(gateway.pid);
      loads.get(gateway)?.push(await runLoad(questions, CONCURRENCY, ask));
      const spent = (await readCpuSeconds(gateway.pid)) - before;
      cpuSeconds.set(gateway, (cpuSeconds.get(gateway) ?? 0) + spent);
    }
  }
  const collect = (gateway: Gateway): Measurements => ({
    rounds: loads.get(gateway) ?? [],
    cpuSeconds: cpuSeconds.get(gateway) ?? NaN,
    peakMb: readResidentMemory(gateway.pid).peak,
    startMs: gateway.startMs,
  });
  return { proxy: collect(proxy), quarry: collect(quarry) };
}
