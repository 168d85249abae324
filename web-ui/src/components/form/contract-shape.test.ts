import { describe, expect, it } from 'vitest';
import type { Pool } from '#client';
import { contractFacts } from '#contract';
import { contractShape, formSpec } from '@/components/form/contract-shape';
import { labelOf } from '@/components/form/label-of';

describe('a shape from the contract', () => {
  it('has a field for every property that a form can edit', () => {
    const shape = contractShape('Upstream');
    const editable = Object.entries(contractFacts.Upstream.properties).filter(
      ([, facts]) => facts.editor !== undefined,
    );
    expect(Object.keys(shape)).toEqual(editable.map(([key]) => key));
    expect(shape.pool).toMatchObject({ type: 'group', presence: 'always', schema: 'Pool' });
    expect(shape.nodes).toMatchObject({ type: 'rows', schema: 'Node' });
  });

  it('keeps the fields that are given', () => {
    const shape = contractShape('Upstream', {
      name: { type: 'text', label: 'Name and description' },
    });
    expect(shape.name).toEqual({ type: 'text', label: 'Name and description' });
  });

  it('shows what no section names under More, before the last section', () => {
    const form = formSpec<Pool>('Pool', {}, [
      { title: 'First', hint: '', fields: ['connectionsMax'] },
      { title: 'Last', hint: '', fields: ['queueMax'] },
    ]);
    expect(form.sections.map(({ title }) => title)).toEqual(['First', 'More', 'Last']);
    expect(form.sections[1]?.fields).toContain('idleTimeoutMillis');
  });

  it('treats plugins as inherited, on or off', () => {
    expect(contractShape('Plugins').cors).toMatchObject({ type: 'group', presence: 'plugin' });
  });

  it('edits objects of any form as JSON, and objects of the contract field by field', () => {
    expect(contractShape('Plugins').extensions).toEqual({ type: 'json', label: 'Extensions' });
    expect(contractShape('JwtPlugin').jwks).toEqual({ type: 'json', label: 'JWKS' });
    expect(contractShape('FaultInjectionPlugin').delay).toMatchObject({
      type: 'group',
      presence: 'optional',
      fields: { millis: { type: 'number', label: 'Time', unit: 'ms' } },
    });
  });

  it('offers the values that a list may have', () => {
    expect(contractShape('JwtPlugin').algorithms).toMatchObject({
      type: 'tags',
      suggestions: expect.arrayContaining(['HS256', 'ES256']) as unknown,
    });
  });

  it('leaves nothing of the contract out', () => {
    for (const { properties } of Object.values(contractFacts)) {
      expect(Object.values(properties).every(({ editor }) => editor !== undefined)).toBe(true);
    }
  });

  it('names properties in words, with the unit left to the field', () => {
    expect(labelOf('idleTimeoutMillis')).toBe('Idle timeout');
    expect(labelOf('bodyBytesMax')).toBe('Body max');
    expect(labelOf('maxAgeSeconds')).toBe('Max age');
    expect(labelOf('name')).toBe('Name');
    expect(labelOf('jwksUrl')).toBe('JWKS URL');
  });
});
