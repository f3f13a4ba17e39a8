import { describe, expect, it } from 'vitest';
import { expectRefusedValues, expectAcceptedValues, type SendField } from '../testing/expect-field-values.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();
const sendField: SendField = (field, value) =>
  used.tenant.api.post(`/api/datastores/${used.datastore}/query`).send({ query: 'q', [field]: value });
const getLastSearch = () => used.test.query.searches.at(-1);

describe('Datastore query request', () => {
  it('the field `query` of a datastore query is required and is a string', async () => {
    await expectAcceptedValues(sendField, 'query', ['Why?', '東京', 'x'.repeat(32_000)]);
    await expectRefusedValues(sendField, 'query', [undefined, null, '', ' ', 7, [], 'x'.repeat(32_001)]);
  });

  it('the field `topK` of a datastore query is a number that limits the results', async () => {
    for (const topK of [1, 7, 100]) {
      await expectAcceptedValues(sendField, 'topK', [topK]);
      expect(getLastSearch()?.topK).toBe(topK);
    }
    for (const none of [null, undefined]) {
      await expectAcceptedValues(sendField, 'topK', [none]);
      expect(getLastSearch()?.topK).toBe(5);
    }
    await expectRefusedValues(sendField, 'topK', [0, -1, 101, 1.5, '5', true, [5]]);
  });

  it('the field `filters` of a datastore query is an object with the string arrays `custom_ids` and `datasource_ids`', async () => {
    const filters = { custom_ids: ['c'], datasource_ids: ['d'] };
    await expectAcceptedValues(sendField, 'filters', [filters]);
    expect(getLastSearch()?.filters).toEqual(filters);
    await expectAcceptedValues(sendField, 'filters', [null, {}, { custom_ids: [] }]);
    await expectRefusedValues(sendField, 'filters', [
      'c',
      [],
      { custom_ids: 'c' },
      { datasource_ids: [null] },
      { customIds: [] },
    ]);
    await expectRefusedValues(sendField, 'filters', [{ price: { maximum: 150 } }]);
    await expectRefusedValues(sendField, 'filter', [filters]);
  });

  it('a datastore query ignores unknown fields', async () => {
    await expectAcceptedValues(sendField, 'mode', ['fast', null, {}]);
  });
});
