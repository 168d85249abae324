import { beforeEach, describe, expect, it } from 'vitest';
import { beginCookieSession, beginSession, endSession, expireSession, currentSession } from '@/lib/session';
import { hasSecret, operationsOf, stage, STAGED_MAX, stagedChanges, unstage } from '@/lib/staged';
import { settingsAccount } from '@/test/server';

const route = (id: string, more: object = {}) =>
  ({ kind: 'routes', id, base: { id }, etag: `"${id}"`, body: { id, ...more } }) as const;
const stored = () => sessionStorage.getItem('sigma.staged') ?? '';

describe('staged changes', () => {
  beforeEach(() => beginSession('token', settingsAccount));

  it('are one for each resource, in their order, and are kept for the next load of the page', () => {
    stage(route('a', { path: '/1' }));
    stage(route('b'));
    stage(route('a', { path: '/2' }));
    expect(stagedChanges()).toEqual([route('a', { path: '/2' }), route('b')]);
    expect(JSON.parse(stored())).toMatchObject({ changes: stagedChanges() });
    unstage([{ kind: 'routes', id: 'a' }]);
    expect(stagedChanges()).toEqual([route('b')]);
    unstage([{ kind: 'routes', id: 'b' }]);
    expect(stored()).toBe('');
  });

  it('have a bound in number and in size', () => {
    for (let i = 0; i < STAGED_MAX; i++) {
      expect(stage(route(`r${i}`))).toBe(true);
    }
    expect(stage(route('more'))).toBe(false);
    expect(stage(route('r1', { path: '/new' }))).toBe(true);
    expect(stage(route('r2', { path: 'x'.repeat(2_000_000) }))).toBe(false);
    expect(stagedChanges()).toHaveLength(STAGED_MAX);
  });

  it('are for the person who staged them', () => {
    stage(route('a'));
    expireSession(currentSession(), 'The session has ended.');
    beginCookieSession(settingsAccount);
    expect(stagedChanges()).toHaveLength(1);
    beginCookieSession({ ...settingsAccount, name: 'other' });
    expect(stagedChanges()).toEqual([]);
    expect(stored()).toBe('');
  });

  it('end with the session', () => {
    stage(route('a'));
    endSession();
    expect(stored()).toBe('');
    beginSession('token', settingsAccount);
    expect(stagedChanges()).toEqual([]);
  });

  it('keep new secrets out of the storage of the browser', () => {
    stage(route('a'));
    const secret = { id: 'c', apiKeys: [{ name: 'one', key: 'abcdefghijklmnop' }] };
    stage({ kind: 'consumers', id: 'c', base: undefined, etag: undefined, body: secret });
    expect(stagedChanges()).toHaveLength(2);
    expect(stored()).not.toContain('abcdefghijklmnop');
    expect(stored()).toContain('"a"');
    expect(hasSecret({ privateKey: '[redacted]', plugins: { rateLimit: { key: 'CLIENT_IP' } } })).toBe(false);
    expect(hasSecret({ plugins: { jwt: { secret: 'x' } } })).toBe(true);
  });

  it('become operations that hold only while nobody else changed the same', () => {
    expect(
      operationsOf([
        route('a', { path: '/1' }),
        { ...route('b'), body: undefined },
        { kind: 'upstreams', id: 'u', base: undefined, etag: undefined, body: { nodes: [] } },
      ]),
    ).toEqual([
      { action: 'PUT', kind: 'ROUTE', id: 'a', body: { id: 'a', path: '/1' }, ifMatch: '"a"' },
      { action: 'DELETE', kind: 'ROUTE', id: 'b', ifMatch: '"b"' },
      { action: 'PUT', kind: 'UPSTREAM', id: 'u', body: { nodes: [] } },
    ]);
  });
});
