import { GiveUp } from '@quarry/contracts';

export function crawlSite(): Promise<void> {
  return Promise.reject(new GiveUp('not_available', 'Sites cannot be crawled yet'));
}
