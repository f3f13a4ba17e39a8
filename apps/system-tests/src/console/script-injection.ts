import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { connectPayloadModel } from './connect-payload-model.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { expectPayloadsAsText, collectDialogMessages } from './expect-payloads-as-text.js';
import { MIN_SHOWN_PAYLOADS, PAYLOADS } from './script-payloads.js';
import { startWebhookReceiver } from './start-webhook-receiver.js';

/** Height of the window in pixels. It is so large that the list of datasources renders a row for each payload. */
const HEIGHT = 4_000;
/** Two payloads without a slash, which can therefore also be file names. */
const [first = '', second = ''] = [PAYLOADS[3], PAYLOADS[1]];

/**
 * Creates a resource of each kind, such as an agent and a webhook, whose name and texts are script payloads.
 *
 * @returns the addresses of the screens that show the payloads
 */
async function addHostileResourceOfEachKind(client: QuarryClient): Promise<readonly string[]> {
  const { id: datastoreId } = await client.createDatastore({ name: first, description: second });
  const documents = PAYLOADS.map((payload, at) => ({
    name: payload,
    text: `# ${payload}\n\nThe warranty lasts ${at} years. ${payload}`,
    metadata: { title: payload, custom_id: payload, source: `https://example.org/${encodeURIComponent(payload)}` },
  }));
  const { ids } = await client.upsertDocuments(datastoreId, documents);
  const markdown = PAYLOADS.map((payload) => `## ${payload}\n\nThe warranty of ${payload}\n`).join('\n');
  const file = await client.uploadFile(datastoreId, new File([markdown], `${first}.md`));
  for (const id of [...ids, file.id]) await client.untilSettled(id);
  const [fileDocument] = (await client.listDocuments(file.id)).items;
  const [textId = ''] = ids;
  const [textDocument] = (await client.listDocuments(textId)).items;
  const agent = await client.createAgent({
    name: first,
    description: second,
    systemPrompt: first,
    datastoreIds: [datastoreId],
  });
  const answer = await client.queryAgent(agent.id, { query: `How long is the warranty of ${first}?` });
  await client.setFeedback(answer.conversationId, answer.messageId, { rating: 'down', comment: second });
  await client.createApiKey({ name: first, scopes: ['query'] });
  const { href: url } = new URL(`/${first}?x=${second}`, (await startWebhookReceiver()).url);
  const webhook = await client.createWebhook({ url });
  const dataset = { name: first, questions: PAYLOADS.map((payload) => ({ question: payload, expected: [payload] })) };
  const evaluation = await client.createEvaluation({ name: second, datastoreId, dataset });
  await client.untilEvaluated(evaluation.id);
  const buildDocumentPath = (datasourceId: string, key = ''): string =>
    `datasources/${datasourceId}/documents/${encodeURIComponent(key)}`;
  return [
    'datastores',
    `datastores/${datastoreId}`,
    `datasources/${file.id}`,
    `datasources/${file.id}?tab=documents`,
    `datasources/${textId}?tab=settings`,
    buildDocumentPath(file.id, fileDocument?.documentKey),
    buildDocumentPath(textId, textDocument?.documentKey),
    `playground?q=${encodeURIComponent(`warranty ${first}`)}`,
    'agents',
    `agents/${agent.id}`,
    `agents/${agent.id}?tab=settings`,
    `agents/${agent.id}?tab=prompts`,
    'conversations',
    `conversations/${answer.conversationId}`,
    'evaluations',
    `evaluations/${evaluation.id}`,
    'keys',
    'webhooks',
    `webhooks/${webhook.id}`,
    'usage',
    'start',
  ];
}

/** Tests that untrusted texts run no scripts on the screens of the console. */
export function testScriptInjection(running: () => ConsoleUnderTest): void {
  describe('texts that contain scripts', () => {
    it('texts that contain scripts are shown as text on every screen', { timeout: 180_000 }, async () => {
      await connectPayloadModel(running());
      let addresses: readonly string[] = [];
      const { page } = await running().open('', {
        height: HEIGHT,
        prepare: async (client) => {
          addresses = await addHostileResourceOfEachKind(client);
        },
      });
      const dialogs = collectDialogMessages(page);
      const shown = new Map<string, readonly number[]>();
      for (const address of addresses) {
        await page.goto(new URL(address, running().baseUrl).href);
        // The network is never idle while live events are received, so the test waits until no skeleton is left.
        await page.locator('main h1').waitFor();
        await expect
          .poll(async () => page.locator('main .skeleton, main [aria-busy=true]').count(), { timeout: 10_000 })
          .toBe(0);
        shown.set(address, await expectPayloadsAsText(page, address));
      }
      const screens = [...shown].filter(([, numbers]) => numbers.length === 0).map(([address]) => address);
      expect(screens).toEqual(['usage', 'start']);
      const missing = PAYLOADS.map((_payload, at) => at).filter((at) => ![...shown.values()].flat().includes(at));
      expect(missing).toEqual([]);
      for (const kind of [/^datastores\/.+/, /^datasources\/.+\/documents/, /^conversations\/.+/, /^evaluations\/.+/]) {
        const numbers = new Set([...shown].filter(([address]) => kind.test(address)).flatMap(([, found]) => found));
        expect(numbers.size, kind.source).toBeGreaterThanOrEqual(MIN_SHOWN_PAYLOADS);
      }
      expect(dialogs).toEqual([]);
    });
  });
}
