import type { SearchHit } from '#client';
import { t } from '@/locales';

/** Why a resource that a search found only nearly matches. */
export function nearestText({ difference, found }: SearchHit): string | undefined {
  const value = found[0]?.value ?? '';
  switch (difference) {
    case 'CASE':
      return t('Another case of letters: {path}', { path: value });
    case 'TRAILING_SLASH':
      return t('The slash at the end differs: {path}', { path: value });
    case 'PATH':
      return t('Similar path: {path}', { path: value });
    case 'HOST':
      return t('Same path, for other hosts: {hosts}', { hosts: value });
    case 'METHOD':
      return t('Same path, for other methods: {methods}', { methods: value });
    case 'NODE':
      return t('Has a node at this address: {url}', { url: value });
    case 'SPELLING':
      return t('Similar name: {name}', { name: value });
    case 'PART':
      return t('The text contains its name: {name}', { name: value });
    default:
      return undefined;
  }
}
