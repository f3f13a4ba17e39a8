import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressRule } from './address-rules.js';
import { getHostWithoutBrackets, parseUrl, formatUrl } from './url-rules.js';

const findObjection = createAddressRule({});
const parseText = (text: string): string => parseUrl(text, findObjection).href;

describe('parsing an untrusted URL', () => {
  it.each([
    ['http://shop.example', 'http://shop.example/'],
    ['HTTPS://Shop.Example:443/a?b=c#d', 'https://shop.example/a?b=c'],
    ['http://shop.example.:8080/', 'http://shop.example:8080/'],
    ['http://bücher.example/straße', 'http://xn--bcher-kva.example/stra%C3%9Fe'],
    ['http://a_b.shop.example/', 'http://a_b.shop.example/'],
    ['http://8.8.8.8/', 'http://8.8.8.8/'],
    ['http://0x8080808/', 'http://8.8.8.8/'],
    ['http://[2606:4700:4700:0::1111]:8443/', 'http://[2606:4700:4700::1111]:8443/'],
    ['http://shop.example:6379/', 'http://shop.example:6379/'],
    ['http://@shop.example/', 'http://shop.example/'],
    ['http://shop.example#@10.0.0.1/', 'http://shop.example/'],
    ['http://shop.example\\@10.0.0.1/', 'http://shop.example/@10.0.0.1/'],
    ['http://localhost.shop.example/', 'http://localhost.shop.example/'],
    ['http://internal.example/', 'http://internal.example/'],
  ])('parseUrl parses %j as %s', (text, expected) => {
    expect(parseText(text)).toBe(expected);
  });

  it('parseUrl omits a URL from the error message if the URL may contain a password', () => {
    for (const text of [
      'http://me:hunter2@shop.example/',
      'http://me:hunter2@shop example/',
      'ftp://me:hunter2@shop.example/',
    ]) {
      expect(() => parseText(text)).not.toThrow(/hunter2/);
      expect(() => parseText(text)).toThrow('expected');
    }
  });

  it('with `allowLoopback`, parseUrl accepts localhost and loopback addresses on every port that is not blocked', () => {
    const local = createAddressRule({ allowLoopback: true });
    for (const url of [
      'http://localhost:3000/',
      'http://app.localhost:3000/',
      'http://127.0.0.1:3000/',
      'http://[::1]:3000/',
    ]) {
      expect(parseUrl(url, local).href).toBe(url);
    }
    expect(() => parseUrl('http://localhost:25/', local)).toThrow('expected a port for HTTP, found 25');
    expect(() => parseUrl('http://redis:6379/', local)).toThrow('a name of a private network');
  });

  it('if parseUrl parses the URL that it has returned, it returns the same URL again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        let once: string;
        try {
          once = parseText(url);
        } catch {
          return;
        }
        expect(parseText(once)).toBe(once);
      }),
    );
  });
});

describe('a URL in a message', () => {
  it('formatUrl removes the query of a URL, and truncates the URL', () => {
    expect(formatUrl(new URL('https://shop.example/a?token=secret'))).toBe('https://shop.example/a');
    expect(formatUrl(new URL(`https://shop.example/${'a'.repeat(1000)}`))).toHaveLength(201);
  });
});

describe('the host of a URL', () => {
  it('getHostWithoutBrackets returns an IPv6 address without brackets', () => {
    expect(getHostWithoutBrackets(new URL('http://[2606::1]:80/'))).toBe('2606::1');
    expect(getHostWithoutBrackets(new URL('http://shop.example/'))).toBe('shop.example');
  });
});
