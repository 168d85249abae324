import { describe, expect, it } from 'vitest';
import { toDraft, toResource } from '@/components/form/draft';
import { resourceForms } from '@/features/resources/resource-forms';
import { allKinds } from '@/lib/kinds';

describe.each(allKinds)('the form of %s', (kind) => {
  const { fields, sections } = resourceForms[kind];

  it('shows every field in exactly one section', () => {
    expect(sections.flatMap((section) => section.fields).sort()).toEqual(Object.keys(fields).sort());
  });

  it('sends nothing when nothing was filled in', () => {
    expect(toResource(fields, toDraft(fields, {}))).toEqual({});
  });
});

it('keeps conditions of a route, those that are false included', () => {
  const { fields } = resourceForms.routes;
  const resource = {
    id: 'beta',
    routerId: 'shop',
    path: '/*',
    proxyPassId: 'to-shop',
    headers: [{ name: 'X-Version', value: '2' }],
    queryParameters: [{ name: 'debug', present: false }],
    cookies: [{ name: 'id', regex: '[0-9]+' }],
    clientAddresses: ['10.0.0.0/8'],
  };
  expect(toResource(fields, toDraft(fields, resource))).toEqual(resource);
});

it('keeps a condition that a value is there and empty', () => {
  const { fields } = resourceForms.routes;
  const resource = { id: 'beta', cookies: [{ name: 'id', value: '' }] };
  expect(toResource(fields, toDraft(fields, resource))).toEqual(resource);
});

it('gives back what it was given, unknown fields included', () => {
  const { fields } = resourceForms['proxy-passes'];
  const resource = {
    id: 'to-shop',
    upstreamId: 'shop-nodes',
    requestHeaders: { set: { 'X-Shop': '1' }, remove: ['Cookie'] },
    timeouts: { responseMillis: 10_000, later: 1 },
    plugins: {
      csp: { directives: [{ name: 'default-src', value: "'self'" }] },
      accessLog: { enabled: false },
    },
    preserveHost: false,
    fromTheFuture: { deep: [1] },
  };
  expect(toResource(fields, toDraft(fields, resource))).toEqual(resource);
});
