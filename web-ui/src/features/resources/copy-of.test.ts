import { describe, expect, it } from 'vitest';
import { copyOf } from '@/features/resources/copy-of';

describe('a copy of a resource', () => {
  it('is not of the import that the original is of', () => {
    const copy = copyOf<'upstreams'>({
      id: 'pets',
      nodes: [{ url: 'http://10.0.0.1' }],
      labels: { 'openapi.import': 'pets', team: 'shop' },
    });
    expect(copy.labels).toEqual({ team: 'shop' });
    expect(copy.id).toBeUndefined();
  });
});
