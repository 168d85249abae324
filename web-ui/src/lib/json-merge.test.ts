import { describe, expect, it } from 'vitest';
import { mergeJson } from '@/lib/json-merge';

const base = {
  id: 'shop',
  name: 'Shop',
  nodes: [
    { url: 'http://a', weight: 1 },
    { url: 'http://b', weight: 1 },
  ],
  hosts: ['one.test', 'two.test'],
  retry: { attempts: 2, on: ['5xx'] },
};

describe('mergeJson', () => {
  it('takes what each side changed alone', () => {
    const { value, conflicts, changes } = mergeJson(
      base,
      { ...base, name: 'Mine', retry: { ...base.retry, attempts: 3 } },
      { ...base, description: 'Theirs', retry: { ...base.retry, on: ['5xx', 'reset'] } },
    );
    expect(conflicts).toEqual([]);
    expect(value).toEqual({
      ...base,
      name: 'Mine',
      description: 'Theirs',
      retry: { attempts: 3, on: ['5xx', 'reset'] },
    });
    expect(changes).toContainEqual({ path: ['name'], by: 'mine', before: 'Shop', after: 'Mine' });
    expect(changes).toContainEqual({
      path: ['description'],
      by: 'theirs',
      before: undefined,
      after: 'Theirs',
    });
    expect(changes).toHaveLength(4);
  });

  it('asks where both changed a field, and follows the answer', () => {
    const mine = { ...base, name: 'Mine' };
    const theirs = { ...base, name: 'Theirs' };
    const asked = mergeJson(base, mine, theirs);
    expect(asked.conflicts).toEqual([
      { path: ['name'], key: '/name', base: 'Shop', mine: 'Mine', theirs: 'Theirs' },
    ]);
    expect(mergeJson(base, mine, theirs, new Map([['/name', 'theirs']])).value).toEqual(theirs);
    expect(mergeJson(base, mine, theirs, new Map([['/name', 'mine']])).value).toEqual(mine);
  });

  it('asks nothing where both did the same', () => {
    const both = { ...base, name: 'New' };
    expect(mergeJson(base, both, { ...both })).toEqual({
      value: both,
      conflicts: [],
      changes: [{ path: ['name'], by: 'both', before: 'Shop', after: 'New' }],
    });
  });

  it('knows the items of a list by what identifies them', () => {
    const { value, conflicts } = mergeJson(
      base,
      { ...base, nodes: [{ url: 'http://a', weight: 9 }, base.nodes[1], { url: 'http://mine' }] },
      { ...base, nodes: [{ url: 'http://new' }, base.nodes[0]] },
    );
    expect(conflicts).toEqual([]);
    expect(value).toMatchObject({
      nodes: [{ url: 'http://new' }, { url: 'http://a', weight: 9 }, { url: 'http://mine' }],
    });
  });

  it('asks about an item that one side removed and the other changed', () => {
    const mine = { ...base, nodes: [base.nodes[1]] };
    const theirs = { ...base, nodes: [{ url: 'http://a', weight: 5 }, base.nodes[1]] };
    const { conflicts } = mergeJson(base, mine, theirs);
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]).toMatchObject({ path: ['nodes', 'http://a'], mine: undefined });
    const key = conflicts[0]?.key ?? '';
    expect(mergeJson(base, mine, theirs, new Map([[key, 'mine']])).value).toEqual(mine);
    expect(mergeJson(base, mine, theirs, new Map([[key, 'theirs']])).value).toEqual(theirs);
  });

  it('merges lists of texts, and keeps an order that one side changed', () => {
    const merged = mergeJson(
      base,
      { ...base, hosts: ['two.test', 'one.test'] },
      { ...base, hosts: ['one.test', 'two.test', 'three.test'] },
    );
    expect(merged.conflicts).toEqual([]);
    expect(merged.value).toMatchObject({ hosts: ['two.test', 'three.test', 'one.test'] });
    const orders = mergeJson(
      { hosts: ['a', 'b', 'c'] },
      { hosts: ['b', 'a', 'c'] },
      { hosts: ['a', 'c', 'b'] },
    );
    expect(orders.conflicts).toMatchObject([{ path: ['hosts'] }]);
  });

  it('asks about a group that one side removed and the other changed', () => {
    const { retry, ...without } = base;
    const { conflicts } = mergeJson(base, without, { ...base, retry: { ...retry, attempts: 4 } });
    expect(conflicts).toMatchObject([{ path: ['retry'], mine: undefined }]);
  });

  it('asks about lists whose items nothing identifies', () => {
    const rules = (...values: number[]) => ({ rules: values.map((value) => ({ value })) });
    expect(mergeJson(rules(1, 2), rules(1, 3), rules(4, 2))).toMatchObject({
      conflicts: [],
      value: rules(4, 3),
    });
    expect(mergeJson(rules(1), rules(1, 2), rules(1, 3)).conflicts).toMatchObject([{ path: ['rules'] }]);
  });
});
