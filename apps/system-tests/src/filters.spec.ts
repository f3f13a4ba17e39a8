import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeModel } from './quarry/fake-model.js';
import { describeOnEachStack } from './quarry/stacks.js';

const model = await startFakeModel();
afterAll(() => model.stop());

const needs = {
  variables: model.variables,
  servers: () => [model.url],
  notAtAddress: 'it needs the simulated model of the tests',
};
const QUERY = 'What is the rent?';

describeOnEachStack('filters', needs, (quarry) => {
  let datastoreId: string;
  let agentId: string;
  const ids: string[] = [];
  beforeAll(async () => {
    ({ id: datastoreId } = await quarry().createDatastore({ name: 'Tenants' }));
    for (const tenant of ['anna', 'ben']) {
      const document = {
        name: `${tenant}.txt`,
        text: `The rent of ${tenant} is secret.`,
        metadata: { custom_id: tenant, floor: tenant === 'anna' ? 1 : 2 },
      };
      const saved = await quarry().upsertDocuments(datastoreId, [document]);
      ids.push(...saved.ids);
    }
    for (const id of ids) expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched' });
    ({ id: agentId } = await quarry().createAgent({ name: 'Portal', datastoreIds: [datastoreId] }));
  });

  it('the filter `custom_ids` restricts the prompt of an agent to documents whose custom id is in the filter', async () => {
    const asked = model.prompts.length;
    await quarry().queryAgent(agentId, { query: QUERY, filters: { custom_ids: ['ben'] } });
    const prompts = model.prompts.slice(asked).join('');
    expect(prompts).toContain('The rent of ben is secret.');
    expect(prompts).not.toContain('The rent of anna');
  });

  it('a filter on metadata restricts searches and answers, and a query reuses no result of a query with another filter', async () => {
    const below = { metadata: { type: 'lt', key: 'floor', value: 2 } } as const;
    const above = { metadata: { type: 'gte', key: 'floor', value: 2 } } as const;
    for (const [filters, tenant] of [
      [below, 'anna'],
      [above, 'ben'],
      [below, 'anna'],
    ] as const) {
      const found = await quarry().queryDatastore(datastoreId, { query: QUERY, filters });
      expect(found.map(({ text }) => text)).toEqual([`The rent of ${tenant} is secret.`]);
      const { sources } = await quarry().queryAgent(agentId, { query: QUERY, filters });
      expect(sources.map(({ text }) => text)).toEqual([`The rent of ${tenant} is secret.`]);
    }
    const both = { ...below, custom_ids: ['ben'] };
    expect(await quarry().queryDatastore(datastoreId, { query: QUERY, filters: both })).toEqual([]);
  });

  it.each(['custom_ids', 'datasource_ids', 'stock_status'] as const)(
    'an empty filter %s matches no document, so that no text reaches a result, a source or a prompt',
    async (name) => {
      const asked = model.prompts.length;
      const everything = { custom_ids: ['anna', 'ben'], datasource_ids: ids };
      for (const filters of [{ [name]: [] }, { ...everything, [name]: [] }]) {
        expect(await quarry().queryDatastore(datastoreId, { query: QUERY, filters })).toEqual([]);
        const answer = await quarry().queryAgent(agentId, { query: QUERY, filters });
        expect(answer.sources).toEqual([]);
        expect(answer.answer).not.toContain('secret');
      }
      expect(model.prompts.slice(asked).join('')).not.toContain('secret');
    },
  );
});
