import { beforeAll, describe, expect, it } from 'vitest';
import { EVALUATION_FILES, evaluationFile, evaluationFilesAreHere } from './quarry/evaluation-files.js';
import { describeStacks } from './quarry/stacks.js';

describeStacks('from documents to answers', {}, (client) => {
  describe.runIf(evaluationFilesAreHere)(`a PDF, from upload to answer${EVALUATION_FILES}`, () => {
    let datastoreId: string;
    let datasourceId: string;

    beforeAll(async () => {
      datastoreId = await client().createDatastore('Papers');
      const uploaded = await client().upload(datastoreId, {
        name: 'multi_page.pdf',
        type: 'application/pdf',
        content: evaluationFile('files/docling__multi_page.pdf'),
      });
      expect(['unsynched', 'pending', 'running']).toContain(uploaded.status);
      datasourceId = uploaded.id;
    });

    it('is synched', async () => {
      const datasource = await client().waitFor(datasourceId);
      expect(datasource).toMatchObject({
        status: 'synched',
        error: null,
        run: { counters: { indexed: 1, failed: 0 } },
      });
    });

    it('is found', async () => {
      const results = await client().search(datastoreId, 'Who invented the typewriter?');
      expect(results[0]).toMatchObject({ datasource_id: datasourceId });
      expect(results[0]?.text).toMatch(/Sholes/);
      expect(results.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
    });

    it('is answered from, with its pages as sources', async () => {
      const agentId = await client().createAgent('Historian', [datastoreId]);
      const answer = await client().ask(agentId, {
        query: 'Who patented the first commercially successful typewriter?',
      });
      expect(answer.answer).toMatch(/Sholes/);
      expect(answer.sources[0]).toMatchObject({ datasource_name: 'multi_page.pdf' });
      expect(answer.sources[0]?.page).toBeGreaterThan(0);
    });

    it('is answered from as a stream that says the same as the response at its end', async () => {
      const agentId = await client().createAgent('Historian', [datastoreId]);
      const streamed = await client().stream(agentId, {
        query: 'Who patented the first commercially successful typewriter?',
      });
      expect(streamed.end).toBe('[DONE]');
      expect(streamed.fragments.length).toBeGreaterThan(1);
      expect(streamed.fragments.join('')).toBe(streamed.response.answer);
      expect(streamed.response.answer).toMatch(/Sholes/);
      expect(streamed.response.sources.length).toBeGreaterThan(0);
    });

    it('goes on in the same conversation', async () => {
      const agentId = await client().createAgent('Historian', [datastoreId]);
      const first = await client().ask(agentId, { query: 'What is IBM MT/ST?' });
      const second = await client().ask(agentId, {
        query: 'And when was that?',
        conversationId: first.conversationId,
        visitorId: first.visitorId,
      });
      expect(second).toMatchObject({ conversationId: first.conversationId, visitorId: first.visitorId });
    });
  });

  describe('documents by API', () => {
    it('are found once they are synched, and replaced when they are sent again', async () => {
      const datastoreId = await client().createDatastore('Notes');
      const [id = ''] = await client().upsert(datastoreId, [{ name: 'opening', text: 'The shop opens at nine.' }]);
      await client().waitFor(id, ['synched']);
      expect((await client().search(datastoreId, 'When does the shop open?'))[0]?.text).toContain('nine');

      const again = await client().upsert(datastoreId, [{ name: 'opening', text: 'The shop opens at ten.' }]);
      expect(again).toEqual([id]);
      await client().waitFor(id, ['synched']);
      const texts = (await client().search(datastoreId, 'When does the shop open?')).map((result) => result.text);
      expect(texts).toEqual([expect.stringContaining('ten')]);
    });
  });

  describe('what cannot be read', () => {
    it.each([
      ['a PDF that is not one', 'report.pdf', 'application/pdf', 'this is not a PDF'],
      ['a text of nothing but spaces', 'blank.txt', 'text/plain', '   \n  \n'],
    ])('%s settles as error with a reason, and the service goes on', async (_case, name, type, content) => {
      const datastoreId = await client().createDatastore('Broken');
      const uploaded = await client().upload(datastoreId, { name, type, content: Buffer.from(content) });
      const settled = await client().waitFor(uploaded.id);
      expect(settled.status).toBe('error');
      expect(settled.error?.code).toMatch(/^[a-z_]+$/);
      expect(settled.error?.message.length).toBeGreaterThan(10);
      expect((await client().send('/datastores')).status).toBe(200);
    });
  });
});
