import { describe, expect, it } from 'vitest';
import { changeFor } from '@/features/resources/bulk-actions';

const newest = { value: { id: 'a', labels: { team: 'carts' } }, etag: '"one"' };

describe('what an action on many resources stages', () => {
  it('is the whole resource as it becomes, with the tag of what it was', () => {
    const start = { kind: 'routes', id: 'a', base: newest.value, etag: '"one"' };
    expect(changeFor('routes', 'a', { type: 'disable' }, newest, undefined)).toEqual({
      ...start,
      body: { ...newest.value, enabled: false },
    });
    expect(
      changeFor('routes', 'a', { type: 'label', key: 'tier', value: '1' }, newest, undefined),
    ).toMatchObject({ body: { labels: { team: 'carts', tier: '1' } } });
    expect(changeFor('routes', 'a', { type: 'unlabel', key: 'team' }, newest, undefined)?.body).toEqual({
      id: 'a',
    });
    expect(changeFor('routes', 'a', { type: 'delete' }, newest, undefined)).toEqual({
      ...start,
      body: undefined,
    });
  });

  it('goes on from what is staged', () => {
    const staged = {
      kind: 'routes',
      id: 'a',
      base: { id: 'a' },
      etag: '"zero"',
      body: { id: 'a', name: 'Cart' },
    } as const;
    expect(changeFor('routes', 'a', { type: 'disable' }, newest, staged)).toEqual({
      ...staged,
      body: { id: 'a', name: 'Cart', enabled: false },
    });
    expect(
      changeFor('routes', 'a', { type: 'disable' }, newest, { ...staged, body: undefined }),
    ).toMatchObject({ etag: '"zero"', body: { ...newest.value, enabled: false } });
  });

  it('is nothing where it changes nothing', () => {
    expect(changeFor('routes', 'a', { type: 'enable' }, newest, undefined)).toBeUndefined();
    expect(
      changeFor('routes', 'a', { type: 'label', key: 'team', value: 'carts' }, newest, undefined),
    ).toBeUndefined();
    const gone = { kind: 'routes', id: 'a', base: newest.value, etag: '"one"', body: undefined } as const;
    expect(changeFor('routes', 'a', { type: 'delete' }, newest, gone)).toBeUndefined();
  });
});
