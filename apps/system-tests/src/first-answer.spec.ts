import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';
import { readAnswerStream } from './quarry/read-stream.js';

/** Path of the folder with evaluation files, which is beside the repository and not part of it. */
const FOLDER = fileURLToPath(new URL('../../../../shared/eval/', import.meta.url));
const evaluationFilesAreHere = existsSync(FOLDER);
const EVALUATION_FILES = evaluationFilesAreHere
  ? ''
  : ' (skipped: the folder shared/eval beside the repository is absent)';

describeOnEachStack('from documents to answers', {}, (quarry) => {
  describe.runIf(evaluationFilesAreHere)(`a PDF, from upload to answer${EVALUATION_FILES}`, () => {
    let datastoreId: string;
    let datasourceId: string;

    beforeAll(async () => {
      ({ id: datastoreId } = await quarry().createDatastore({ name: 'Papers' }));
      const content = readEvaluationFile('files/docling__multi_page.pdf');
      const file = new File([content], 'multi_page.pdf', { type: 'application/pdf' });
      const uploaded = await quarry().uploadFile(datastoreId, file);
      expect(['unsynched', 'pending', 'running']).toContain(uploaded.status);
      datasourceId = uploaded.id;
    });

    it('an uploaded PDF reaches the status `synched`', async () => {
      const datasource = await quarry().untilSettled(datasourceId);
      expect(datasource).toMatchObject({
        status: 'synched',
        error: null,
        run: { counters: { indexed: 1, failed: 0 } },
      });
    });

    it('a search finds the uploaded PDF', async () => {
      const results = await quarry().queryDatastore(datastoreId, { query: 'Who invented the typewriter?' });
      expect(results[0]).toMatchObject({ datasource_id: datasourceId });
      expect(results[0]?.text).toMatch(/Sholes/);
      expect(results.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
    });

    it('an answer cites the uploaded PDF with page numbers', async () => {
      const { id: agentId } = await quarry().createAgent({ name: 'Historian', datastoreIds: [datastoreId] });
      const answer = await quarry().queryAgent(agentId, {
        query: 'Who patented the first commercially successful typewriter?',
      });
      expect(answer.answer).toMatch(/Sholes/);
      expect(answer.sources[0]).toMatchObject({ datasource_name: 'multi_page.pdf' });
      expect(answer.sources[0]?.page).toBeGreaterThan(0);
    });

    it('the joined parts of a streamed answer equal the complete answer at the end of the stream', async () => {
      const { id: agentId } = await quarry().createAgent({ name: 'Historian', datastoreIds: [datastoreId] });
      const { pieces, response } = await readAnswerStream(quarry(), agentId, {
        query: 'Who patented the first commercially successful typewriter?',
      });
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.join('')).toBe(response.answer);
      expect(response.answer).toMatch(/Sholes/);
      expect(response.sources.length).toBeGreaterThan(0);
    });

    it('a question with the `conversationId` of an earlier question continues the same conversation', async () => {
      const { id: agentId } = await quarry().createAgent({ name: 'Historian', datastoreIds: [datastoreId] });
      const first = await quarry().queryAgent(agentId, { query: 'What is IBM MT/ST?' });
      const second = await quarry().queryAgent(agentId, {
        query: 'And when was that?',
        conversationId: first.conversationId,
        visitorId: first.visitorId,
      });
      expect(second).toMatchObject({ conversationId: first.conversationId, visitorId: first.visitorId });
    });
  });

  describe('documents by API', () => {
    it('documents that are sent by API can be searched when their status is `synched`, and are replaced when they are sent again', async () => {
      const { id: datastoreId } = await quarry().createDatastore({ name: 'Notes' });
      const upsertOpening = async (text: string): Promise<string> => {
        const { ids } = await quarry().upsertDocuments(datastoreId, [{ name: 'opening', text }]);
        const [id = ''] = ids;
        expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
        return id;
      };
      const searchTexts = async (): Promise<readonly string[]> =>
        (await quarry().queryDatastore(datastoreId, { query: 'When does the shop open?' })).map(({ text }) => text);

      const id = await upsertOpening('The shop opens at nine.');
      expect(await searchTexts()).toEqual([expect.stringContaining('nine')]);
      expect(await upsertOpening('The shop opens at ten.')).toBe(id);
      expect(await searchTexts()).toEqual([expect.stringContaining('ten')]);
    });
  });

  describe('unreadable files', () => {
    it.each([
      ['a file that is no PDF despite its name', 'report.pdf', 'application/pdf', 'this is not a PDF'],
      ['a text that contains only spaces', 'blank.txt', 'text/plain', '   \n  \n'],
    ])(
      'the datasource of %s gets the status `error` with a reason, and Quarry continues to work',
      async (_case, name, type, content) => {
        const { id: datastoreId } = await quarry().createDatastore({ name: 'Broken' });
        const uploaded = await quarry().uploadFile(datastoreId, new File([content], name, { type }));
        const settled = await quarry().untilSettled(uploaded.id);
        expect(settled.status).toBe('error');
        expect(settled.error?.code).toMatch(/^[a-z_]+$/);
        expect(settled.error?.message.length).toBeGreaterThan(10);
        await expect(quarry().listDatastores()).resolves.toBeDefined();
      },
    );
  });
});

function readEvaluationFile(path: string): Uint8Array {
  return readFileSync(`${FOLDER}${path}`);
}
