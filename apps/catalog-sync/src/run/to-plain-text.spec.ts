import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainText } from './to-plain-text.js';
import { formatAmount, formatStockStatus } from './item-document.js';

describe('toPlainText', () => {
  it.each([
    ['plain text', 'plain text'],
    ['two\n\nparagraphs\n- and a list', 'two\n\nparagraphs\n- and a list'],
    ['5 < 6 and 7 > 3, AT&T', '5 < 6 and 7 > 3, AT&T'],
    ['a<b', 'a<b'],
    ['<p>one</p>\n<p>two</p>', 'one\n\ntwo'],
    ['one<br>two<br/>three<br><br>four', 'one\ntwo\nthree\n\nfour'],
    ['<ul><li>one</li>\n<li>two</li></ul>after', '- one\n- two\n\nafter'],
    ['<b>bold</b><i>italic</i>', 'bolditalic'],
    ['line\nbreaks <b>are</b>\n   spaces', 'line breaks are spaces'],
    ['<script>bad()</script>ok<style>p{}</style>', 'ok'],
    ['caf&eacute; &amp; th&#233; &lt;br&gt;', 'café & thé <br>'],
    ['<table><tr><th>Size</th><td>L</td></tr><tr><th>Fit</th><td>slim</td></tr></table>', 'Size L\nFit slim'],
    ['<p>unclosed <b>tags', 'unclosed tags'],
    ['<!-- a remark --> text', 'text'],
    ['one <svg viewBox="0 0 1 1"><title>Icon</title></svg> two<template/> three', 'one two three'],
    ['a <img alt="b > c" src=x> d', 'a d'],
    ['<P>UPPER</P><BR>case', 'UPPER\n\ncase'],
    ['', ''],
  ])('toPlainText converts %j to %j', (description, text) => {
    expect(toPlainText(description)).toBe(text);
  });

  it.each(['<div>', '<b>', '</i>', '<table><tr><td>', '<', '&', '<!--', '<a x', '&nbsp;', ' <'])(
    'toPlainText returns the text before 200,000 repetitions of %j',
    (piece) => {
      for (const begin of ['', '<p>']) expect(toPlainText(`${begin}lamp ${piece.repeat(200_000)}`)).toMatch(/^lamp/);
    },
  );

  it('toPlainText returns every word of the text, whatever characters the word contains', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9äß€]{1,8}$/), { minLength: 1 }), (words) => {
        const html = words.map((word) => `<p>${word}</p>`).join('');
        expect(toPlainText(html).split(/\s+/)).toEqual(words);
      }),
    );
  });
});

describe('formatStockStatus and formatAmount', () => {
  it.each([
    ['instock', 'In stock'],
    ['out_of_stock', 'Out of stock'],
    ['OnBackorder', 'Available on backorder'],
    ['ships in 3 weeks', 'ships in 3 weeks'],
  ])('formatStockStatus formats the stock status %j as %j', (status, words) => {
    expect(formatStockStatus(status)).toBe(words);
  });

  it.each([
    [19.9, 'EUR', '19.90 EUR'],
    [20, 'USD', '20 USD'],
    [0.0005, 'BTC', '0.0005 BTC'],
    [1e-7, undefined, '1e-7'],
    [-3.25, '', '-3.25'],
  ])('formatAmount formats the amount %d in %s as %s', (amount, currency, text) => {
    expect(formatAmount(amount, currency)).toBe(text);
  });
});
