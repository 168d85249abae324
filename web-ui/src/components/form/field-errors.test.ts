import { describe, expect, it } from 'vitest';
import { toDraft } from '@/components/form/draft';
import { locateErrors, missingFields } from '@/components/form/field-errors';
import { formSpec } from '@/components/form/contract-shape';
import type { FieldError, HeaderEdits, Upstream } from '#client';

const spec = formSpec<Pick<Upstream, 'id' | 'nodes' | 'pool' | 'labels' | 'tls'>>(
  'Upstream',
  {
    id: { type: 'text', label: 'Id' },
    nodes: {
      type: 'rows',
      label: 'Nodes',
      row: 'node',
      schema: 'Node',
      fields: {
        url: { type: 'text', label: 'URL' },
        weight: { type: 'number', label: 'Weight' },
        down: { type: 'switch', label: 'Down' },
        drain: { type: 'switch', label: 'Drain' },
        backup: { type: 'switch', label: 'Backup' },
        metadata: { type: 'pairs', label: 'Metadata', keyLabel: 'Key', valueLabel: 'Value', row: 'value' },
      },
    },
    pool: {
      type: 'group',
      label: 'Pool',
      schema: 'Pool',
      presence: 'always',
      fields: {
        connectionsMax: { type: 'number', label: 'Connections' },
        queueMax: { type: 'number', label: 'Queue' },
        idleTimeoutMillis: { type: 'number', label: 'Idle' },
        lifetimeMillis: { type: 'number', label: 'Lifetime' },
        streamsMax: { type: 'number', label: 'Streams' },
      },
    },
    labels: { type: 'pairs', label: 'Labels', keyLabel: 'Label', valueLabel: 'Value', row: 'label' },
    tls: {
      type: 'group',
      label: 'TLS',
      schema: 'ClientTls',
      presence: 'optional',
      fields: { verify: { type: 'switch', label: 'Verify' }, caPath: { type: 'text', label: 'CA' } },
    },
  },
  [],
);

const draft = toDraft(spec.fields, {
  id: 'a',
  nodes: [{ url: 'http://a' }, { url: 'nowhere' }],
  labels: { 'team/owner': 'x' },
});

function located(pointer: string) {
  return locateErrors(spec, draft, [{ pointer, detail: 'wrong', code: 'INVALID' }]);
}

describe('locateErrors', () => {
  it.each([
    ['/id', '/id'],
    ['/nodes/1/url', '/nodes/1/url'],
    ['#/nodes/1/url', '/nodes/1/url'],
    ['/nodes/1', '/nodes/1/url'],
    ['/nodes/1/colour', '/nodes/1/url'],
    ['/nodes/9/url', '/nodes'],
    ['/pool/queueMax', '/pool/queueMax'],
    ['/labels/team~1owner', '/labels/0'],
    ['/labels/nobody', '/labels'],
    ['/tls/caPath', '/tls'],
  ])('puts %s on the field %s', (pointer, field) => {
    expect([...located(pointer).byField]).toEqual([[field, 'wrong']]);
    expect(located(pointer).elsewhere).toEqual([]);
  });

  it.each([[''], ['/colour'], ['/']])('keeps %j for the alert, because no field shows it', (pointer) => {
    expect(located(pointer)).toEqual({
      byField: new Map(),
      elsewhere: [{ pointer, detail: 'wrong', code: 'INVALID' }],
    });
  });

  it('joins what is wrong with one field', () => {
    const errors: FieldError[] = [
      { pointer: '/id', detail: 'too long', code: 'INVALID' },
      { pointer: '/id', detail: 'a space', code: 'INVALID' },
    ];
    expect(locateErrors(spec, draft, errors).byField.get('/id')).toBe('too long; a space');
  });
});

describe('missingFields', () => {
  it('names required fields that are empty, in rows as well', () => {
    expect([...missingFields(spec, toDraft(spec.fields, {})).keys()]).toEqual([]);
    expect([...missingFields(spec, toDraft(spec.fields, { nodes: [{ weight: 1 }] })).keys()]).toEqual([
      '/nodes/0/url',
    ]);
  });

  it('names rows of a map that repeat a key or lack one', () => {
    const rows = [
      { key: 'a', value: '1' },
      { key: 'a', value: '2' },
      { key: '', value: '3' },
      { key: '', value: '' },
    ];
    expect([...missingFields(spec, { nodes: [{ url: 'http://a' }], labels: rows })]).toEqual([
      ['/labels/1', 'A row above is the same'],
      ['/labels/2', 'Required'],
    ]);
  });
});

describe('a header name with a dot or a slash', () => {
  it('keeps its place', () => {
    const headers = formSpec<HeaderEdits>(
      'HeaderEdits',
      {
        remove: { type: 'tags', label: 'Remove' },
        set: { type: 'pairs', label: 'Set', keyLabel: 'Header', valueLabel: 'Value', row: 'header' },
        add: { type: 'pairs', label: 'Add', keyLabel: 'Header', valueLabel: 'Value', row: 'header' },
      },
      [],
    );
    const edits = toDraft(headers.fields, { set: { 'X-A': '1', 'X.B/C': '2' }, remove: ['Cookie'] });
    const { byField } = locateErrors(headers, edits, [
      { pointer: '/set/X.B~1C', detail: 'no', code: 'INVALID' },
      { pointer: '/remove/0', detail: 'no', code: 'INVALID' },
    ]);
    expect([...byField.keys()]).toEqual(['/set/1', '/remove']);
  });
});
