import type { Datasource } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { findRemedy, removeAdvice } from './remedies.js';

describe('findRemedy', () => {
  const find = (code: string, message = '', type: Datasource['type'] = 'file') => findRemedy({ code, message }, type);

  it('findRemedy returns the key of the advice for a failure code', () => {
    expect(find('file_encrypted')).toBe('password');
    expect(find('listing_not_json')).toBe('listing');
    expect(find('listing_unauthorized')).toBe('headers');
    expect(find('listing_timeout')).toBe('later');
    expect(find('run_lost')).toBe('sync');
  });

  it('findRemedy advises text recognition only for a file for which the API advises it', () => {
    const scan =
      'No text was found in a.pdf. If it is a scan, enable text recognition with QUARRY_OCR, or add a text layer with OCR.';
    expect(find('no_text_found', scan)).toBe('ocr');
    expect(find('no_text_found', 'No text was found in a.xlsx.')).toBe('empty');
    expect(find('no_text_found', 'No text was found in a.pdf. No text was recognized in its images.')).toBe('empty');
    expect(find('no_text_found', 'the page contains no text', 'web_page')).toBe('emptyPage');
    expect(removeAdvice({ code: 'no_text_found', message: scan }).message).toBe('No text was found in a.pdf.');
  });

  it('findRemedy advises to check the address if no server has the name in it', () => {
    const unknown = "expected 'exmaple.com' to have an address, found that the DNS query failed (ENOTFOUND)";
    expect(find('listing_unreachable', unknown, 'item_listing')).toBe('address');
    expect(find('fetch_failed', `the page could not be fetched: ${unknown}`, 'web_site')).toBe('address');
    expect(find('fetch_failed', `the page could not be fetched: ${unknown}`, 'web_page')).toBe('newPage');
    const broken = unknown.replace('ENOTFOUND', 'ECONNREFUSED');
    expect(find('fetch_failed', broken, 'web_page')).toBe('later');
  });
});
