import { describe, expect, it } from 'vitest';
import { toListedItem, readItem } from '@quarry/item-listing';
import { createItemDocument, type ItemDocument } from './item-document.js';

const documentOf = (fields: object): ItemDocument => {
  const raw = { id: 7, title: 'Mug', date_modified: '2026-01-31T00:00:00.000Z', ...fields };
  const reading = readItem(toListedItem(raw));
  if (!reading.valid) throw new Error(reading.problem);
  return createItemDocument(reading.item);
};

describe('the document of an item', () => {
  it('contains what a shopper asks for', () => {
    const { markdown, name } = documentOf({
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

  it('omits absent fields', () => {
    expect(documentOf({ description: null, price: null, variations: [], note: '' }).markdown).toBe('# Mug\n');
  });

  it('keeps the price and the fields that explain it as metadata', () => {
    const fields = {
      price: 1,
      regular_price: 2,
      sale_price: 1,
      currency: 'EUR',
      stock_status: 'few left',
      colour: 'red',
    };
    expect(documentOf(fields).metadata).toEqual({
      id: '7',
      date_modified: '2026-01-31T00:00:00.000Z',
      price: 1,
      regular_price: 2,
      sale_price: 1,
      currency: 'EUR',
      stock_status: 'few left',
    });
    expect(documentOf({}).metadata).toEqual({ id: '7', date_modified: '2026-01-31T00:00:00.000Z' });
  });

  it.each([
    [{ url: 'https://shop.example/mug' }, 'https://shop.example/mug'],
    [{ permalink: 'http://shop.example/mug' }, 'http://shop.example/mug'],
    [{ url: '/mug', permalink: 'https://shop.example/mug' }, 'https://shop.example/mug'],
    [{ url: 'javascript:alert(1)' }, undefined],
    [{ url: 'ftp://shop.example/mug' }, undefined],
    [{ url: 7 }, undefined],
    [{}, undefined],
  ])('contains the address of the web page: %j', (fields, source) => {
    expect(documentOf(fields).source).toBe(source);
  });

  it('removes markup from titles and uses the id as the name when no title is left', () => {
    expect(documentOf({ title: 'Cups &amp; <i>mugs</i>' }).name).toBe('Cups & mugs');
    expect(documentOf({ title: ' ' })).toMatchObject({ name: '7', markdown: '# 7\n' });
  });
});
