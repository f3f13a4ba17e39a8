import { describe, expect, it } from 'vitest';
import { completeAddress } from './complete-address.js';

describe('completeAddress', () => {
  it.each([
    [' www.example.com/prices ', 'https://www.example.com/prices'],
    ['localhost:8080/start', 'https://localhost:8080/start'],
    ['http://example.com', 'http://example.com'],
    ['HTTPS://example.com', 'HTTPS://example.com'],
    ['ftp://example.com', 'ftp://example.com'],
    ['  ', ''],
  ])('completeAddress converts %j to %j', (text, address) => {
    expect(completeAddress(text)).toBe(address);
  });
});
