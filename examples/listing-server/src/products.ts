import type { Item } from './listing.js';

interface Variation {
  readonly id: string;
  readonly title: string;
  readonly price: number;
  readonly stock: number;
  readonly stock_status: string;
}

export interface Product extends Item {
  readonly description: string;
  readonly price: number;
  readonly regular_price: number;
  readonly sale_price?: number;
  readonly currency: string;
  readonly stock_status: string;
  readonly url: string;
  readonly material: string;
  readonly variations: readonly Variation[];
}

const KINDS = [
  'Mug',
  'Teapot',
  'Plate',
  'Bowl',
  'Vase',
  'Jug',
  'Tray',
  'Lamp',
  'Basket',
  'Blanket',
  'Cushion',
  'Chair',
];
const MATERIALS = ['stoneware', 'porcelain', 'oak', 'walnut', 'linen', 'wool', 'steel', 'glass'];
const COLOURS = ['blue', 'green', 'white', 'red', 'grey'];
const SIZES = ['small', 'medium', 'large'];

const FIRST_DATE = Date.parse('2025-01-01T00:00:00.000Z');
const MINUTE_MS = 60_000;

/**
 * Generates products. The same count gives the same products, some of which were modified in the same millisecond, as after an
 * import.
 */
export function makeProducts(count: number): Product[] {
  return Array.from({ length: count }, (_, index) => makeProduct(index));
}

function makeProduct(index: number): Product {
  const kind = pickValue(KINDS, index);
  const material = pickValue(MATERIALS, index * 7);
  const regular = 5 + ((index * 37) % 200);
  const onSale = index % 5 === 0;
  const price = onSale ? Math.round(regular * 80) / 100 : regular;
  const variations = SIZES.slice(0, 1 + (index % 3)).map((size, step) => makeVariation(index, size, price + step * 4));
  return {
    id: index % 2 === 0 ? index + 1 : `sku-${index + 1}`,
    title: `${pickValue(COLOURS, index)} ${material} ${kind} No. ${index + 1}`,
    description: `<p>A ${kind.toLowerCase()} of <b>${material}</b>, made by hand.</p><ul><li>Series ${index % 97}</li></ul>`,
    date_modified: new Date(FIRST_DATE + Math.floor(index / 3) * MINUTE_MS).toISOString(),
    price,
    regular_price: regular,
    ...(onSale ? { sale_price: price } : {}),
    currency: 'EUR',
    stock_status: variations.some(({ stock }) => stock > 0) ? 'instock' : 'outofstock',
    url: `https://shop.example/products/${index + 1}`,
    material,
    variations,
  };
}

function makeVariation(index: number, size: string, price: number): Variation {
  const stock = (index * 13 + size.length) % 8;
  return { id: `${index + 1}-${size}`, title: size, price, stock, stock_status: stock > 0 ? 'instock' : 'onbackorder' };
}

function pickValue(values: readonly string[], index: number): string {
  return values[index % values.length] ?? '';
}
