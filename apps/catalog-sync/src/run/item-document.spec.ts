import { describe, expect, it } from 'vitest';
import { createListedItem, validateItem } from '@quarry/item-listing';
import { createItemDocument, type ItemDocument } from './item-document.js';

const createDocument = (fields: object): ItemDocument => {
  const raw = { id: 7, title: 'Mug', date_modified: '2026-01-31T00:00:00.000Z', ...fields };
  const reading = validateItem(createListedItem(raw));
  if (!reading.valid) throw new Error(reading.problem);
  return createItemDocument(reading.item);
};

describe('createItemDocument', () => {
  it('createItemDocument formats description, prices, availability, custom fields and variations as Markdown', () => {
    const { markdown, name } = createDocument({
      description: '<p>Holds <b>300&nbsp;ml</b>.</p><ul><li>Dishwasher safe</li><li>Hand-made</li></ul>',
      price: 19.9,
      regular_price: 25,
      sale_price: 19.9,
      currency: 'EUR',
      stock_status: 'instock',
      material: 'stoneware',
      dimensions: { height_cm: 9, width_cm: 8 },
      tags: ['kitchen', 'coffee'],
      giftWrap: true,
      variations: [
        { id: 'b', title: 'Blue | dark', price: 19.9, stock: 3, stock_status: 'instock' },
        { id: 'g', title: 'Green', price: 21, stock: 0, stock_status: 'onbackorder', glaze: 'matt' },
      ],
    });
    expect(name).toBe('Mug');
    expect(markdown).toBe(`# Mug

Holds 300 ml.

- Dishwasher safe
- Hand-made

- Price: 19.90 EUR
- Regular price: 25 EUR
- Sale price: 19.90 EUR
- Availability: In stock

- Material: stoneware
- Dimensions: Height cm: 9; Width cm: 8
- Tags: kitchen, coffee
- Gift Wrap: yes

## Variations

| Variation | Price | Availability | Pieces in stock | Id | Glaze |
| --- | --- | --- | --- | --- | --- |
| Blue \\| dark | 19.90 EUR | In stock | 3 | b |  |
| Green | 21 EUR | Available on backorder | 0 | g | matt |
`);
  });

  it('createItemDocument omits the fields that an item does not have', () => {
    expect(createDocument({ description: null, price: null, variations: [], note: '' }).markdown).toBe('# Mug\n');
  });

  it('createItemDocument copies price, currency and stock status into the metadata', () => {
    const fields = {
      price: 1,
      regular_price: 2,
      sale_price: 1,
      currency: 'EUR',
      stock_status: 'few left',
      colour: 'red',
    };
    expect(createDocument(fields).metadata).toEqual({
      id: '7',
      date_modified: '2026-01-31T00:00:00.000Z',
      price: 1,
      regular_price: 2,
      sale_price: 1,
      currency: 'EUR',
      stock_status: 'few left',
    });
    expect(createDocument({}).metadata).toEqual({ id: '7', date_modified: '2026-01-31T00:00:00.000Z' });
  });

  it.each([
    [{ url: 'https://shop.example/mug' }, 'https://shop.example/mug'],
    [{ permalink: 'http://shop.example/mug' }, 'http://shop.example/mug'],
    [{ url: '/mug', permalink: 'https://shop.example/mug' }, 'https://shop.example/mug'],
    [{ url: 'javascript:alert(1)' }, undefined],
    [{ url: 'ftp://shop.example/mug' }, undefined],
    [{ url: 7 }, undefined],
    [{}, undefined],
  ])('for an item with the address fields %j, createItemDocument returns the source %s', (fields, source) => {
    expect(createDocument(fields).source).toBe(source);
  });

  it('createItemDocument removes markup from the title, and uses the id as the name if the title contains no text', () => {
    expect(createDocument({ title: 'Cups &amp; <i>mugs</i>' }).name).toBe('Cups & mugs');
    expect(createDocument({ title: ' ' })).toMatchObject({ name: '7', markdown: '# 7\n' });
  });
});
