import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder } from '../quarry/data-folder.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from '../quarry/quarry-process.js';
import { ROOT } from './read-documents.js';

const run = promisify(execFile);

/** Questions for the sample agent, each with patterns that a correct answer matches. */
const QUESTIONS: readonly (readonly [string, readonly RegExp[]])[] = [
  ['What is a datastore?', [/A datastore holds searchable content\./]],
  ['What is a datasource?', [/^\s*term: datasource; definition: A unit of content in a datastore/]],
  ['What is a run?', [/^\s*term: run; definition: One synchronisation of a datasource/]],
  ['How do I delete a datastore?', [/\$api\/datastores\/\$datastore/, /all its\s+datasources/]],
  ['How do I delete a datasource?', [/\$api\/datasources\/\$datasource/]],
  ['What is a fragment?', [/^\s*term: fragment; definition: A passage that is indexed and returned/]],
  ['What is the rate limit?', [/^\s*The rate limit is 600 requests per minute for each API key\./]],
  ['Wie ändere ich den Port?', [/^\s*To change the port, stop Quarry, set the environment variable `QUARRY_PORT`/]],
  ['How do I upload a file?', [/as a form/, /curl .*-F file=@notes\.md/]],
  ['How do I change the port?', [/set the environment variable `QUARRY_PORT`/]],
  ['What file types are supported?', [/PDF, Word \(docx\), PowerPoint \(pptx\)/]],
  ['How do I back up Quarry?', [/stop it and copy the\s+folder\s+`data`/]],
  ['How do I run it on Kubernetes?', [/kubectl apply -k k8s\/overlays\/prod/]],
  ['How do I rename a datastore?', [/curl -X PATCH .*\s*\$api\/datastores\/\$datastore/]],
  ['How do I rename an agent?', [/curl -X PATCH .*\s*\$api\/agents\/\$agent/]],
  ['How do I delete an agent?', [/curl -X DELETE .*\$api\/agents\/\$agent/, /with its conversations/]],
  ['How do I revoke an API key?', [/curl -X DELETE .*\$api\/api-keys\/\$apiKey/]],
  ['How do I crawl a website?', [/"type":"web_site"/]],
  ['How do I schedule a sync?', [/"schedule":"every 6h"/]],
  ['How do I cancel a sync?', [/`POST \/datasources\/\{id\}\/cancel`/]],
  ['How do I set up a webhook?', [/\$api\/webhooks/]],
  ['Which language models can I use?', [/OpenAI, Anthropic, Google/]],
  ['How many results does a search return?', [/5 results by default/]],
  ['What happens when the usage limit is reached?', [/402 `usage_limit_reached`/]],
  ['How do I log in to the console?', [/open the link that `npm start` prints/]],
  ['How do I run Quarry with Docker Compose?', [/docker compose -f docker\/compose\.yaml up/]],
  ['Where is my data stored?', [/in the folder `data`/]],
  ['Was ist eine Datenquelle?', [/German: Datenquelle; English: datasource; meaning: A unit of content/]],
];

describe('the sample agent, without a model', () => {
  let dataDirectory: string;
  let quarry: QuarryProcess;
  beforeAll(async () => {
    dataDirectory = await createDataFolder();
    quarry = await startQuarry(dataDirectory, { QUARRY_SAMPLE: 'true' });
  });
  afterAll(async () => {
    await quarry.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  async function askQuestion(question: string): Promise<string> {
    const url = new URL(quarry.baseUrl).origin;
    const options = ['--url', url, '--data', dataDirectory];
    const { stdout } = await run(process.execPath, [join(ROOT, 'scripts', 'ask.mjs'), ...options, question], {
      env: { PATH: process.env['PATH'], QUARRY_ROOT_KEY: ROOT_KEY },
    });
    return stdout;
  }

  it.each(QUESTIONS)('the sample agent answers %j from the documentation', async (question, words) => {
    const answer = await askQuestion(question);
    for (const word of words) expect(answer).toMatch(word);
    expect(answer.length).toBeLessThan(1_500);
    expect(answer).toMatch(/^Sources?:$/m);
  });

  it.each([
    ['How tall is the Eiffel Tower?', /I don’t know/],
    ['Wie hoch ist der Turm in Paris?', /Das weiß ich nicht/],
  ])(
    'the answer of the sample agent to %j is an abstention in the language of the question',
    async (question, expected) => {
      const answer = await askQuestion(question);
      expect(answer).toMatch(expected);
      expect(answer).not.toContain('Source');
    },
  );
});
