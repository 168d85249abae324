import { describe, expect, it } from 'vitest';
import contract from '@/../../openapi/sigma-admin.yaml?raw';
import { entityOf, operationName, operations } from '@/features/audit/audit-operations';

describe('operations of the audit log', () => {
  it('are those of the contract that change something, and the first start', () => {
    const changing = [
      ...contract.matchAll(/^ {4}(post|put|patch|delete):\n(?: {6}.*\n)*? {6}operationId: (\w+)/gm),
    ]
      .map(([, , id = '']) => id)
      .concat('firstStart');
    expect(changing.length).toBeGreaterThan(40);
    expect([...operations].sort()).toEqual(changing.sort());
  });

  it('have names, and others stay as they are', () => {
    expect(['createProxyPass', 'patchRoute', 'batch', 'later'].map(operationName)).toEqual([
      'Create proxy pass',
      'Change route',
      'Several changes',
      'later',
    ]);
  });

  it('concern resources with a page, and others', () => {
    expect(entityOf('PROXY_PASS/a/b')).toEqual({
      contractKind: 'PROXY_PASS',
      kind: 'proxy-passes',
      id: 'a/b',
    });
    expect(entityOf('USER/admin')).toEqual({ contractKind: 'USER', kind: undefined, id: 'admin' });
    expect(entityOf('none')).toEqual({ contractKind: '', kind: undefined, id: 'none' });
  });
});
