import { describe, expect, it } from 'vitest';
import { whoIn, whoOf } from '@/lib/who';

describe('who changed something', () => {
  it('is called as people call it', () => {
    expect(whoOf('settings:admin-token')).toBe('Admin token');
    expect(whoOf('maria')).toBe('maria');
  });

  it('is found by that name', () => {
    expect(whoIn(' admin Token')).toBe('settings:admin-token');
    expect(whoIn('maria')).toBe('maria');
    expect(whoIn(undefined)).toBeUndefined();
  });
});
